import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigInvalid } from "./environment.ts";

/** The data folder's own key, readable only by its owner. Every start gets the same one, even two starts at the same time. */
export function developmentSecretKey(dataDir: string): string {
  const file = join(dataDir, "secret-key");
  let key: string;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
    if (!existsSync(file)) placeSecretKey(file);
    key = readFileSync(file, "utf8").trim();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ConfigInvalid([
      `DATA_DIR: the folder ${dataDir} cannot be used (${code}). Make it writable for this user, or choose another folder`,
    ]);
  }
  if (key.length >= 32) return key;
  throw new ConfigInvalid([
    `SECRET_KEY: the key in ${file} is damaged. Restore the file: what is encrypted in the database can't be read without it`,
  ]);
}

/** Names the file only once it is complete, so that a concurrent start, or one after a crash, never reads half a key. */
function placeSecretKey(file: string): void {
  const beside = `${file}.new-${randomBytes(4).toString("hex")}`;
  try {
    writeFileSync(beside, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
    linkSync(beside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(beside, { force: true });
  }
}
