/**
 * The database of a program under test, as a first start leaves it: made once for a run of the tests and copied for each program, since
 * initdb and all migrations take a third of what a first start does.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where a run keeps it; the runner's processes inherit the variable. Outside a run every program makes its own. */
const variable = "SLIPWAY_TEST_PREPARED_DATABASE";

/** Keeps the database of `dataDir`, whose server does not run, in the new folder `prepared`, for the programs of this run. */
export function keepPreparedDatabase(dataDir: string, prepared: string): void {
  execFileSync("cp", ["-a", join(dataDir, "postgres"), prepared]);
  process.env[variable] = prepared;
}

/** Gives a new data folder that database, if this run has one. */
export function placePreparedDatabase(dataDir: string): void {
  const prepared = process.env[variable];
  if (prepared && existsSync(prepared)) execFileSync("cp", ["-a", prepared, join(dataDir, "postgres")]);
}
