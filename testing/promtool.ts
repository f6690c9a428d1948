/** Prometheus's own checker of rules, from Debian's package: unpacked beside the engines that tests share, not installed. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { enginesCacheDir } from "./engines/engines-cache.ts";

const run = promisify(execFile);
const aptGet = "/usr/bin/apt-get";

/** Where Debian's packages can be had. */
export const hasPromtool = process.platform === "linux" && process.getuid?.() === 0 && existsSync(aptGet);

/** The path of promtool, fetched (19 MB) if it is not there yet. */
export async function findPromtool(): Promise<string> {
  const folder = join(dirname(enginesCacheDir), "promtool");
  const program = join(folder, "usr", "bin", "promtool");
  if (existsSync(program)) return program;
  await mkdir(dirname(folder), { recursive: true });
  const staging = await mkdtemp(`${folder}-`);
  try {
    const download = () => run(aptGet, ["download", "-q", "prometheus"], { cwd: staging });
    // A fresh machine has no list of packages yet, or an old one.
    await download().catch(async () => {
      await run(aptGet, ["update", "-q"]);
      await download();
    });
    const file = (await readdir(staging)).find((name) => name.endsWith(".deb"))!;
    await run("dpkg-deb", ["-x", join(staging, file), join(staging, "unpacked")]);
    await rm(folder, { recursive: true, force: true });
    await rename(join(staging, "unpacked"), folder);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return program;
}
