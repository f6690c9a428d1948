/** Debian's packages as files, checked by apt-get. */
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const listsTimeoutMs = 2 * 60_000;

export const aptGet = "/usr/bin/apt-get";

/** Downloads them into `folder`. */
export async function downloadPackages(folder: string, packages: readonly string[]): Promise<void> {
  const download = () => run(aptGet, ["download", "-q", ...packages], { cwd: folder });
  // A fresh machine has no list of packages yet, or an old one.
  await download().catch(async () => {
    await updateLists();
    await download();
  });
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
