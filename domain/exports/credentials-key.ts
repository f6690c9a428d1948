/**
 * The key that encrypts exported credentials. It is derived from the owner's passphrase here, so that neither the database nor the
 * workspace ever sees the passphrase. The workspace encrypts, so that the control plane never sees a credential.
 */
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

/** 64 MB and about 0.2 s per guess: what the author of RFC 7914 recommends, within Node's default memory limit. */
export const scryptCost = { N: 65_536, r: 8, p: 1 } as const;

export interface CredentialsKey {
  /** 32 bytes, base64. */
  key: string;
  /** base64 */
  salt: string;
}

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

const keyOf = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  derive(passphrase.normalize("NFC"), salt, 32, { ...scryptCost, maxmem: 128 * 1024 * 1024 });

export async function makeCredentialsKey(passphrase: string): Promise<CredentialsKey> {
  const salt = randomBytes(16);
  return { key: (await keyOf(passphrase, salt)).toString("base64"), salt: salt.toString("base64") };
}

/** Whether the key was derived from this passphrase. Costs as much as deriving one. */
export async function isOfPassphrase({ key, salt }: CredentialsKey, passphrase: string): Promise<boolean> {
  return timingSafeEqual(await keyOf(passphrase, Buffer.from(salt, "base64")), Buffer.from(key, "base64"));
}
