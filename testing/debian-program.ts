/** Programs from Debian's packages that tests run: unpacked beside the engines that tests share, not installed. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { enginesCacheDir } from "./engines/engines-cache.ts";

const run = promisify(execFile);
const aptGet = "/usr/bin/apt-get";
const listsTimeoutMs = 2 * 60_000;

/** Where Debian's packages can be fetched. */
export const hasDebianPrograms = process.platform === "linux" && process.getuid?.() === 0 && existsSync(aptGet);

/** The path of `program` from the package, such as `usr/bin/promtool` from `prometheus`; fetched if it is not there yet. */
export async function findDebianProgram(packageName: string, program: string): Promise<string> {
  const folder = join(dirname(enginesCacheDir), "debian", packageName);
  const path = join(folder, program);
  if (existsSync(path)) return path;
  await mkdir(dirname(folder), { recursive: true });
  const staging = await mkdtemp(`${folder}-`);
  try {
    const download = () => run(aptGet, ["download", "-q", packageName], { cwd: staging });
    // A fresh machine has no list of packages yet, or an old one.
    await download().catch(async () => {
      await updateLists();
      await download();
    });
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

/** If several processes do this at once, one has apt's lock, and the others fail immediately. */
async function updateLists(): Promise<void> {
  for (const deadline = performance.now() + listsTimeoutMs; ;) {
    try {
      await run(aptGet, ["update", "-q"]);
      return;
    } catch (error) {
      if (!String(error).includes("lock") || performance.now() > deadline) throw error;
      await sleep(500);
    }
  }
}
