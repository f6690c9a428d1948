/** A disk that fills up during a start: any of its steps may meet it first. */
import { StartTrouble } from "#platform/start-trouble.ts";
import type { Config } from "./settings/config.ts";

/** PostgreSQL's `disk_full`. */
const postgresCode = "53100";

/** The error, as a StartTrouble if a full disk caused it. */
export function explainFullDisk(error: unknown, { dataDir, databaseUrl }: Pick<Config, "dataDir" | "databaseUrl">): unknown {
  if (error instanceof StartTrouble) return error;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, path } = cause as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT") return fullDisk(path ?? dataDir, error);
    if (code === postgresCode && !databaseUrl) return fullDisk(dataDir, error);
    if (code === postgresCode)
      return new StartTrouble("The disk of the database is full. Make room there and start again.", { cause: error });
  }
  return error;
}

const fullDisk = (place: string, cause: unknown): StartTrouble =>
  new StartTrouble(`The disk of ${place} is full. Make room, or choose another DATA_DIR.`, { cause });
