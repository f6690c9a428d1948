/** POST /_slipway/export: all flows, and credentials under the owner's key. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { StorageModule } from "./internals.mts";

interface Exported {
  flows: object[];
  credentials?: { count: number; nonce: string; data: string };
}

/** Undefined for an invalid key. */
export async function readExport(storage: StorageModule, credentialSecret: string, credentialsKey: unknown): Promise<Exported | undefined> {
  const key = typeof credentialsKey === "string" ? Buffer.from(credentialsKey, "base64") : undefined;
  if (key && key.length !== 32) return undefined;
  const flows = (await storage.getFlows()) ?? [];
  if (!key) return { flows };
  const open = decryptCredentials(await storage.getCredentials(), credentialSecret);
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const data = Buffer.concat([cipher.update(JSON.stringify(open), "utf8"), cipher.final(), cipher.getAuthTag()]);
  return { flows, credentials: { count: Object.keys(open).length, nonce: nonce.toString("base64"), data: data.toString("base64") } };
}

/** Node-RED's format: under `$`, the initialisation vector in hex, then AES-256-CTR in base64; plain before the first deploy. */
function decryptCredentials(kept: Record<string, unknown> | undefined, credentialSecret: string): Record<string, unknown> {
  const sealed = kept?.["$"];
  if (typeof sealed !== "string") return kept ?? {};
  const decipher = createDecipheriv(
    "aes-256-ctr",
    createHash("sha256").update(credentialSecret).digest(),
    Buffer.from(sealed.slice(0, 32), "hex"),
  );
  return JSON.parse(decipher.update(sealed.slice(32), "base64", "utf8") + decipher.final("utf8")) as Record<string, unknown>;
}
