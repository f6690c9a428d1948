/** Encryption of stored secrets, and the keys derived from the service's one key. */
import { createCipheriv, createDecipheriv, createHash, createPrivateKey, hkdfSync, randomBytes, type KeyObject } from "node:crypto";

const version = "v1";

export interface Secrets {
  /** Hex. Identifies the key without revealing anything about it. */
  keyId: string;
  /** The secrets of the key that is being replaced, while both are given. */
  previous: Secrets | null;
  /** Encrypts text for a purpose; it can only be decrypted for the same one. */
  encrypt(text: string, purpose: string): string;
  /** With this key, else with the previous one. Throws if neither encrypted the text for this purpose, or it was changed. */
  decrypt(encrypted: string, purpose: string): string;
  /** A key of 32 bytes for one purpose: always the same for the same service key. */
  derive(purpose: string): Buffer;
  /** The Ed25519 key that signs what workspaces must trust. */
  signingKey(): KeyObject;
}

/**
 * Built from SECRET_KEY, any text of at least 32 characters, stretched with HKDF-SHA-256; `previousKey` only decrypts. AES-256-GCM, random
 * 96-bit nonce.
 */
export function createSecrets(secretKey: string, previousKey?: string): Secrets {
  const previous = previousKey === undefined ? null : createSecrets(previousKey);
  const derive = (purpose: string) => Buffer.from(hkdfSync("sha256", secretKey, "slipway", purpose, 32));
  const open = (sealed: Buffer, purpose: string): string => {
    const decipher = createDecipheriv("aes-256-gcm", derive(`encrypt:${purpose}`), sealed.subarray(0, 12), { authTagLength: 16 });
    decipher.setAuthTag(sealed.subarray(-16));
    return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString("utf8");
  };
  return {
    keyId: createHash("sha256").update("slipway secret key id").update(derive("key id")).digest("hex").slice(0, 16),
    previous,
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
      try {
        return open(Buffer.from(body, "base64url"), purpose);
      } catch (error) {
        if (!previous) throw error;
        return previous.decrypt(encrypted, purpose);
      }
    },
    signingKey() {
      // An Ed25519 private key is any 32 bytes; this is its fixed PKCS #8 header (RFC 8410).
      const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), derive("sign:workspace")]);
      return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    },
  };
}
