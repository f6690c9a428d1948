/** Encrypts a stream for the storage. */
import { createCipheriv, randomBytes } from "node:crypto";
import { Transform } from "node:stream";
import type { BackupKey } from "./backup-keys.ts";
import { chunkBytes, chunkNonce, fileKey, magic, saltBytes } from "./sealed-format.ts";

/** The output is readable only with the key, and only under this name. */
export function sealStream(key: BackupKey, name: string): Transform {
  const salt = randomBytes(saltBytes);
  const own = fileKey(key, salt, name);
  let index = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;
  let begun = false;

  const seal = (plain: Buffer, isLast: boolean): Buffer => {
    const cipher = createCipheriv("aes-256-gcm", own, chunkNonce(index, isLast));
    index += 1;
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (!begun) this.push(Buffer.concat([magic, Buffer.from(key.id, "hex"), salt]));
      begun = true;
      held.push(chunk);
      heldBytes += chunk.length;
      // A whole chunk is held back until more arrives: the last one is marked.
      if (heldBytes > chunkBytes) {
        const all = Buffer.concat(held);
        let from = 0;
        for (; all.length - from > chunkBytes; from += chunkBytes) this.push(seal(all.subarray(from, from + chunkBytes), false));
        held = [all.subarray(from)];
        heldBytes = all.length - from;
      }
      done();
    },
    flush(done) {
      if (!begun) this.push(Buffer.concat([magic, Buffer.from(key.id, "hex"), salt]));
      this.push(seal(Buffer.concat(held), true));
      done();
    },
  });
}
