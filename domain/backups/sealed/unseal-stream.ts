/** Decrypts a stream from the storage. */
import { createDecipheriv } from "node:crypto";
import { Transform } from "node:stream";
import { BackupFailure } from "../backup-failure.ts";
import { keyIdBytes, type BackupKeys } from "./backup-keys.ts";
import { chunkBytes, chunkNonce, fileKey, magic, saltBytes, tagBytes } from "./sealed-format.ts";

const headerBytes = magic.length + keyIdBytes + saltBytes;
const sealedBytes = chunkBytes + tagBytes;

/** The file in the storage is not what was written: it says nothing about what was copied. */
export class StoredDamage extends BackupFailure {
  constructor(message: string, options?: { cause?: unknown }) {
    super("damaged", message, options);
  }
}

/**
 * Outputs only authentic bytes, and ends only where the original file did. Fails with BackupFailure `damaged` for anything that was
 * changed, cut off or stored under another name; the message says if the key is not one of ours.
 */
export function unsealStream(keys: BackupKeys, name: string): Transform {
  let own: Buffer | undefined;
  let index = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;

  const readHeader = (header: Buffer): void => {
    if (!header.subarray(0, magic.length).equals(magic)) throw new StoredDamage(`${name} does not begin as a sealed file does`);
    const id = header.subarray(magic.length, magic.length + keyIdBytes).toString("hex");
    const key = keys.find(id);
    if (!key) throw new StoredDamage(`${name} is encrypted with the key ${id}, which this service does not have`);
    own = fileKey(key, header.subarray(magic.length + keyIdBytes), name);
  };
  const open = (sealed: Buffer, isLast: boolean): Buffer => {
    if (sealed.length < tagBytes) throw new StoredDamage(`${name} is cut off`);
    try {
      const decipher = createDecipheriv("aes-256-gcm", own!, chunkNonce(index, isLast), { authTagLength: tagBytes });
      decipher.setAuthTag(sealed.subarray(-tagBytes));
      const plain = Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
      index += 1;
      return plain;
    } catch (error) {
      throw new StoredDamage(`${name} was changed or cut off at chunk ${index}`, { cause: error });
    }
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      held.push(chunk);
      heldBytes += chunk.length;
      const needed = own ? sealedBytes : headerBytes;
      if (heldBytes <= needed) return done();
      try {
        let all = Buffer.concat(held);
        if (!own) {
          readHeader(all.subarray(0, headerBytes));
          all = all.subarray(headerBytes);
        }
        let from = 0;
        for (; all.length - from > sealedBytes; from += sealedBytes) this.push(open(all.subarray(from, from + sealedBytes), false));
        held = [all.subarray(from)];
        heldBytes = all.length - from;
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      try {
        if (!own) throw new StoredDamage(`${name} is cut off`);
        this.push(open(Buffer.concat(held), true));
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
