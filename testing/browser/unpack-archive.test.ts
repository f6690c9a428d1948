import { mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, brotliCompressSync } from "node:zlib";
import { pack } from "tar-stream";
import { expect, onTestFinished, test } from "vitest";
import { unpackArchive } from "./unpack-archive.ts";

const compress = (content: Buffer): Buffer => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

async function collect(stream: AsyncIterable<unknown>): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return chunks;
}

/** An archive with a file, a program, a link, and `trailing` zeros after its end, as `tar --blocking-factor` writes. */
async function writeArchive(trailing = 0): Promise<{ archive: string; content: Buffer; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), "slipway-test-unpack-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const archive = pack();
  archive.entry({ name: "fonts", type: "directory" });
  archive.entry({ name: "fonts/one.ttf", mode: 0o644 }, "a font");
  archive.entry({ name: "lib/program", mode: 0o755 }, "a program");
  archive.entry({ name: "lib/link", type: "symlink", linkname: "program" });
  archive.finalize();
  const content = Buffer.concat([...(await collect(archive)), Buffer.alloc(trailing)]);
  writeFileSync(join(folder, "archive.tar.br"), compress(content));
  return { archive: join(folder, "archive.tar.br"), content, folder };
}

test("files, programs and links are unpacked, however much follows the end of the archive", async () => {
  for (const trailing of [0, 32 * 1024 ** 2]) {
    const { archive, folder } = await writeArchive(trailing);
    await unpackArchive(archive, folder);
    expect(readFileSync(join(folder, "fonts/one.ttf"), "utf8")).toBe("a font");
    expect(readFileSync(join(folder, "lib/link"), "utf8")).toBe("a program");
    expect(readlinkSync(join(folder, "lib/link"))).toBe("program");
    expect(statSync(join(folder, "lib/program")).mode & 0o111).toBe(0o111);
  }
});

test("an archive that breaks off is refused", async () => {
  const { archive, content, folder } = await writeArchive();
  writeFileSync(archive, compress(content.subarray(0, 512 + 512 + 3)));
  await expect(unpackArchive(archive, folder)).rejects.toThrow(/Unexpected end of data/);
  const whole = compress(content);
  writeFileSync(archive, whole.subarray(0, whole.length - 4));
  await expect(unpackArchive(archive, folder)).rejects.toThrow(/unexpected end of file|Unexpected end of data/);
});
