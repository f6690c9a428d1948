/** The private folder of the server's Unix socket: the only way in, so access to the folder matters. */
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StartTrouble } from "../../start-trouble.ts";
import { handOver, type ServerUser } from "./server-user.ts";

const socketName = ".s.PGSQL.5432";
export const socketLockOf = (folder: string) => join(folder, `${socketName}.lock`);

/** Linux allows 107 bytes for the path of a socket, macOS 103. */
const maxSocketPathBytes = 100;

/** Makes the folder. */
export function prepareSocketFolder(folder: string, user: ServerUser): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isPrivateFolder(folder, user))
    throw new StartTrouble(`${folder} is not a private folder of this user (mode 0700). Remove it and start again.`);
  handOver(folder, user);
}

/** The temporary folder is shared: an existing folder of our name may be a trap, so only our own is accepted. */
export function isPrivateFolder(folder: string, user: ServerUser): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return (
    found !== undefined && found.isDirectory() && [process.getuid?.(), user.become?.uid].includes(found.uid) && (found.mode & 0o077) === 0
  );
}

/** In the data folder or, when that path is too long for a socket, under the system's temporary one. */
export function chooseSocketFolder(dataDir: string): string {
  const name = `slipway-${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}`;
  const choices = [join(dataDir, "run"), join(tmpdir(), name), join("/tmp", name)];
  return choices.find((folder) => Buffer.byteLength(join(folder, socketName)) <= maxSocketPathBytes) ?? join("/tmp", name);
}
