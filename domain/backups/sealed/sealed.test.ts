import { randomBytes } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { createSecrets } from "#platform/secrets.ts";
import { createBackupKeys } from "./backup-keys.ts";
import { sealStream } from "./seal-stream.ts";
import { chunkBytes } from "./sealed-format.ts";
import { unsealStream } from "./unseal-stream.ts";

const keys = createBackupKeys(createSecrets("a key for tests, long enough to be one"));
const name = "backups/one";

/** In pieces of odd sizes, as from a network. */
function pieces(content: Buffer): Readable {
  const parts: Buffer[] = [];
  for (let from = 0, size = 1; from < content.length; from += size, size = ((size * 7 + 3) % 50_000) + 1)
    parts.push(content.subarray(from, from + size));
  return Readable.from(parts, { objectMode: false });
}
const seal = (content: Buffer, as = name): Promise<Buffer> =>
  buffer(pipeline(pieces(content), sealStream(keys.current, as), () => undefined));
const open = (sealed: Buffer, as = name, by = keys): Promise<Buffer> =>
  buffer(pipeline(pieces(sealed), unsealStream(by, as), () => undefined));

test.each([0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes, 500_000])("%i bytes come back unchanged", async (size) => {
  const content = randomBytes(size);
  const sealed = await seal(content);
  expect((await open(sealed)).equals(content)).toBe(true);
  if (size >= 100) expect(sealed.includes(content.subarray(0, 50))).toBe(false);
});

test("the same content is never sealed the same way twice", async () => {
  const content = Buffer.alloc(1_000, 1);
  expect((await seal(content)).equals(await seal(content))).toBe(false);
});

test("content that was changed, cut off, moved, repeated or left out is refused", async () => {
  const content = randomBytes(3 * chunkBytes + 100);
  const sealed = await seal(content);
  const [header, chunk] = [48, chunkBytes + 16];
  const chunkAt = (index: number) => sealed.subarray(header + index * chunk, header + (index + 1) * chunk);
  const join = (...indexes: number[]) => Buffer.concat([sealed.subarray(0, header), ...indexes.map(chunkAt)]);
  expect((await open(join(0, 1, 2, 3))).equals(content)).toBe(true);
  for (const wrong of [
    join(0, 1, 2),
    join(0, 1),
    join(1, 0, 2, 3),
    join(0, 2, 3),
    join(0, 1, 1, 2, 3),
    join(0, 1, 2, 3, 3),
    join(),
    sealed.subarray(0, 20),
    Buffer.alloc(0),
    Buffer.alloc(1_000),
    sealed.subarray(0, -1),
    Buffer.concat([sealed, Buffer.from("x")]),
  ]) {
    await expect(open(wrong)).rejects.toMatchObject({ code: "damaged" });
  }
  for (const at of [0, 10, 30, header, header + chunk, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    await expect(open(changed)).rejects.toMatchObject({ code: "damaged" });
  }
});

test("under another name, or with another key, nothing is read", async () => {
  const sealed = await seal(Buffer.from("secret"));
  await expect(open(sealed, "backups/two")).rejects.toMatchObject({ code: "damaged" });
  await expect(open(sealed, name, createBackupKeys(createSecrets("another key, long enough to be one")))).rejects.toThrow(
    /which this service does not have/,
  );
});

test("a replaced key still opens what it sealed", async () => {
  const sealed = await seal(Buffer.from("old"));
  const both = createBackupKeys(createSecrets("another key, long enough to be one"), [
    createSecrets("a key for tests, long enough to be one"),
  ]);
  expect(both.current.id).not.toBe(keys.current.id);
  expect((await open(sealed, name, both)).toString()).toBe("old");
});
