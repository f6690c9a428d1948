/** The data folder: created at the first start, and refused with a clear message if it cannot be used. */
import { mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { StartTrouble } from "../../start-trouble.ts";
import { diskFull } from "./create-cluster.ts";

/** Creates the folder if needed, checks that it is writable, and returns its real path; refuses with StartTrouble. */
export function prepareDataFolder(dataDir: string): string {
  const folder = resolve(dataDir);
  const probe = join(folder, `.write-test-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(probe, "");
    rmSync(probe);
    return realpathSync(folder);
  } catch (cause) {
    throw new StartTrouble(explain((cause as NodeJS.ErrnoException).code, folder), { cause });
  }
}

function explain(code: string | undefined, folder: string): string {
  if (code === "ENOSPC" || code === "EDQUOT") return diskFull(folder);
  if (code === "ENOTDIR" || code === "EEXIST")
    return `The data folder ${folder} can't be created because a file of that name exists. Choose another DATA_DIR.`;
  if (code === "EROFS") return `The data folder ${folder} is on a read-only disk. Choose another DATA_DIR.`;
  return `The data folder ${folder} can't be written to (${code ?? "unknown error"}). Give this user the right to, or choose another DATA_DIR.`;
}
