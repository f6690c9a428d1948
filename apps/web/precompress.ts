/**
 * Writes two compressed copies of each built text file, so that the server never compresses while it serves. The page is left out: the
 * server reads it once at its start, with the hashes of its content, and compresses it then.
 */
import { promisify } from "node:util";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const isText = /\.(js|css|svg)$/;

/** For smaller files, the headers take more than compression saves. */
const leastBytes = 1_024;

/** Adds `.br` and `.gz` beside every text file of the build that is large enough. */
export function precompress(): Plugin {
  return {
    name: "precompress",
    apply: "build",
    async writeBundle({ dir = "." }, bundle) {
      for (const file of Object.values(bundle)) {
        const content = Buffer.from(file.type === "chunk" ? file.code : file.source);
        if (!isText.test(file.fileName) || content.length < leastBytes) continue;
        const path = join(dir, file.fileName);
        await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
        await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }));
      }
    },
  };
}
