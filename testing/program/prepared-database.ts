/**
 * The database of a program under test, as a first start leaves it: made once for a run of the tests and copied for each program, since
 * initdb and all migrations take a third of what a first start does.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeMemoryFolder } from "../memory-folder.ts";

/** Where a run keeps it; the runner's processes inherit the variable. Outside a run every program makes its own. */
const variable = "SLIPWAY_TEST_PREPARED_DATABASE";

/** Keeps the database of `dataDir`, whose server does not run, in the new folder `prepared`, for the programs of this run. */
export function keepPreparedDatabase(dataDir: string, prepared: string): void {
  execFileSync("cp", ["-a", join(dataDir, "postgres"), prepared]);
  process.env[variable] = prepared;
}

/**
 * Gives a new data folder that database, if this run has one. With `memoryPrefix` it is in memory and linked from the data folder: on ext4,
 * copying and removing its thousand files costs 1.2 s of CPU, and slows down every other new file on that disk for seconds. The name of the
 * folder in memory begins with the prefix, and its layout is that of a program, so that the clean-up after a killed run finds its server.
 */
export function placePreparedDatabase(dataDir: string, memoryPrefix?: string): void {
  const prepared = process.env[variable];
  if (!prepared || !existsSync(prepared)) return;
  const database = join(dataDir, "postgres");
  if (memoryPrefix === undefined) return void execFileSync("cp", ["-a", prepared, database]);
  const folder = makeMemoryFolder(memoryPrefix);
  // Where root cannot use a user namespace, its server is another user, who must be able to enter.
  chmodSync(folder, 0o755);
  const inMemory = join(folder, "data", "postgres");
  mkdirSync(dirname(inMemory));
  execFileSync("cp", ["-a", prepared, inMemory]);
  symlinkSync(inMemory, database);
}

/** Removes the database of `dataDir` from memory, if it is there. Its server has to be stopped. */
export function removePlacedDatabase(dataDir: string): void {
  const database = join(dataDir, "postgres");
  if (!lstatSync(database, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  rmSync(dirname(dirname(readlinkSync(database))), { recursive: true, force: true });
}
