/** Slipway's own image, without a builder: Debian's packages, and what `collectProgram` collects. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { collectProgram } from "./collect-program.ts";
import { makeDebianRoot } from "./debian-root.ts";
import { writeImage } from "./image-archive.ts";
import { dataFolder, programConfig, programUser } from "./program-places.ts";

interface ProgramImage {
  /** With registry and tag. */
  name: string;
  /** Where unpacked packages are kept. */
  cacheDir: string;
  /** Where the program is collected, by default beside the archive: 320 MB in 12,000 files. */
  scratchDir?: string;
}

/** Writes the image to `file`; returns its id and Debian's packages in it. Precompiled code is different each time, and so is the id. */
export async function writeProgramImage(
  file: string,
  { name, cacheDir, scratchDir = dirname(file) }: ProgramImage,
): Promise<{ id: string; packages: string[] }> {
  const debian = await makeDebianRoot(cacheDir);
  const own = await mkdtemp(join(scratchDir, ".collected-"));
  try {
    await collectProgram(join(own, "root"), debian.packages);
    await mkdir(join(own, "data"), { mode: 0o700 });
    const id = await writeImage(file, {
      name,
      layers: [
        { from: debian.folder, to: "/" },
        { from: join(own, "root"), to: "/", only: ["usr"] },
        { from: join(own, "root"), to: "/", only: ["etc", "opt"] },
        { from: join(own, "data"), to: dataFolder, owner: programUser },
      ],
      config: programConfig,
    });
    return { id, packages: debian.packages };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}
