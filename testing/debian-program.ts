/** Programs from Debian's packages that tests run: unpacked beside the engines that tests share, not installed. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { stageBeside } from "#platform/host/stage-beside.ts";
import { aptGet, downloadPackages } from "../tools/image/download-packages.ts";
import { enginesCacheDir } from "./engines/engines-cache.ts";

const run = promisify(execFile);

/** Where Debian's packages can be fetched. */
export const hasDebianPrograms = process.platform === "linux" && process.getuid?.() === 0 && existsSync(aptGet);

/** The path of `program` from the package, such as `usr/bin/promtool` from `prometheus`; fetched if it is not there yet. */
export async function findDebianProgram(packageName: string, program: string): Promise<string> {
  const folder = join(dirname(enginesCacheDir), "debian", packageName);
  const path = join(folder, program);
  if (existsSync(path)) return path;
  const staging = await stageBeside(folder);
  try {
    await downloadPackages(staging, [packageName]);
    const file = (await readdir(staging)).find((name) => name.endsWith(".deb"))!;
    const unpacked = join(staging, "unpacked");
    await run("dpkg-deb", ["-x", join(staging, file), unpacked]);
    // Another process that fetched it at the same time may have been first, and may run it already.
    const isPlaced = () =>
      rename(unpacked, folder).then(
        () => true,
        () => existsSync(path),
      );
    if (!(await isPlaced())) {
      await rm(folder, { recursive: true, force: true });
      if (!(await isPlaced())) throw new Error(`${path} could not be put in place`);
    }
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return path;
}
