/** Encryption of secrets at rest, and the keys derived from the one key of the service. */
import { createCipheriv, createDecipheriv, createPrivateKey, hkdfSync, randomBytes, type KeyObject } from "node:crypto";

const version = "v1";

export interface Secrets {
  /** Encrypts text for a purpose; the result is bound to it and to nothing else. */
  encrypt(text: string, purpose: string): string;
  /** Throws when the text was not encrypted by this key for this purpose, or was changed. */
  decrypt(encrypted: string, purpose: string): string;
  /** A key of 32 bytes for one purpose: the same for the same service key. */
  derive(purpose: string): Buffer;
  /** The Ed25519 key that signs what workspaces must believe. */
  signingKey(): KeyObject;
}

/** Built from SECRET_KEY: at least 32 characters of any text, stretched with HKDF-SHA-256. AES-256-GCM, random 96-bit nonce. */
export function createSecrets(secretKey: string): Secrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync("sha256", secretKey, "slipway", purpose, 32));
  return {
    derive,
    encrypt(text, purpose) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", derive(`encrypt:${purpose}`), nonce);
      const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `${version}.${sealed.toString("base64url")}`;
    },
    decrypt(encrypted, purpose) {
      const [prefix, body] = encrypted.split(".");
      if (prefix !== version || !body) throw new Error("This is not an encrypted value of a known version.");
      const sealed = Buffer.from(body, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", derive(`encrypt:${purpose}`), sealed.subarray(0, 12));
      decipher.setAuthTag(sealed.subarray(-16));
      return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString("utf8");
    },
    signingKey() {
      // An Ed25519 private key is any 32 bytes; this is its fixed PKCS #8 header (RFC 8410).
      const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), derive("sign:workspace")]);
      return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    },
  };
}
