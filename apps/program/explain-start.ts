/**
 * Troubles that an operator can mend, whichever step of a start meets them, as a sentence that says what to do. What is not known here is a
 * fault of the program and keeps its stack.
 */
import { DrizzleQueryError } from "drizzle-orm";
import pg from "pg";
import { isDatabaseAway } from "#platform/database.ts";
import { mostSessions } from "#platform/postgres/session-counts.ts";
import { StartTrouble } from "#platform/start-trouble.ts";
import type { Config } from "./settings/config.ts";

type Places = Pick<Config, "dataDir" | "databaseUrl">;

/** The error, as a StartTrouble if an operator can mend its cause. */
export function explainStart(error: unknown, places: Places): unknown {
  if (error instanceof StartTrouble) return error;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const sentence = explainFullDisk(cause, places) ?? explainDatabase(cause, places) ?? explainFile(cause, places);
    if (sentence !== undefined) return new StartTrouble(sentence, { cause: error });
  }
  return error;
}

/** PostgreSQL's `disk_full`. */
const databaseFull = "53100";

function explainFullDisk({ code, path }: NodeJS.ErrnoException, { dataDir, databaseUrl }: Places): string | undefined {
  if (code === databaseFull && databaseUrl) return "The disk of the database is full. Make room there and start again.";
  if (code !== "ENOSPC" && code !== "EDQUOT" && code !== databaseFull) return undefined;
  return `The disk of ${path ?? dataDir} is full. Make room, or choose another DATA_DIR.`;
}

/** What to do about PostgreSQL's answer, by its code. */
const databaseAdvice: Readonly<Record<string, string>> = {
  "28P01": "Correct the user and the password in DATABASE_URL.",
  "28000": "Correct DATABASE_URL, or allow this user and host in pg_hba.conf.",
  "3D000": "Create it (create database … owner …), or correct the name in DATABASE_URL.",
  "42501": "Make the user of DATABASE_URL the owner of the database and of its tables (alter database … owner to …).",
  "25006": "DATABASE_URL must lead to the primary, with a user who may write (default_transaction_read_only).",
  "53300": `Raise max_connections, or the user's limit (alter role … connection limit …), or lower DATABASE_POOL_MAX: each process uses up to that and ${mostSessions(0, true)} more.`,
  "53200": "Give its server more memory, or fewer connections.",
  "57P03": "Wait until it has started, and start again.",
  "42P07": "It has tables of another program. Create a database for Slipway alone.",
  "42710": "It has objects of another program. Create a database for Slipway alone.",
  "42P06": "It has a schema of another program. Create a database for Slipway alone.",
  "0A000": "Use PostgreSQL 15 or later, connected without a pooler.",
  XX001: "Its files are damaged: restore a backup.",
  XX002: "Its indexes are damaged: restore a backup.",
};

/** Errors of pg's client when a server falls silent, which have no code. */
const silence =
  /^(?:timeout e|Query read timeout|Connection terminated due to connection timeout|Client (?:has encountered|was closed)|the database has not answered)/;

/** The server ended the statement at a limit of its session (platform/postgres/session-limits.ts): it waited for a lock, or took too long. */
const limitCodes = new Set(["55P03", "57014"]);

function explainDatabase(error: NodeJS.ErrnoException, { dataDir, databaseUrl }: Places): string | undefined {
  const whose = databaseUrl ? "The database of DATABASE_URL" : `The database in ${dataDir}`;
  const advice = error instanceof pg.DatabaseError ? databaseAdvice[error.code ?? ""] : undefined;
  if (advice) return `${whose} can't be used: ${error.message}. ${advice}`;
  if (silence.test(error.message) || limitCodes.has(error.code ?? ""))
    return `${whose} did not answer in time. It may be overloaded, locked by another session, or cut off: look at pg_stat_activity, and start again.`;
  // Of a failed query, the cause says more.
  if (!(error instanceof DrizzleQueryError) && isDatabaseAway(error))
    return `${whose} can't be used: ${error.message || error.code}. Start it or correct DATABASE_URL.`;
  return undefined;
}

const fileAdvice: Readonly<Record<string, string>> = {
  EACCES: "This user may not use it. Correct its owner and mode.",
  EPERM: "This user may not change it. Correct its owner, mode and attributes.",
  EROFS: "Its disk is read-only. Mount it writable, or choose another folder.",
  ENOTDIR: "A file is where a folder must be. Move it away.",
  EEXIST: "A file is where a folder must be. Move it away.",
  EISDIR: "A folder is where a file must be. Move it away.",
  ENOENT: "It is missing. Restore it, or correct the setting that names it.",
  ELOOP: "It is a link to itself. Remove it.",
  EIO: "Its disk has an error: dmesg says which.",
  EMFILE: "Too many files are open. Raise the limit (ulimit -n, LimitNOFILE).",
  ENFILE: "The host has too many open files. Raise fs.file-max.",
};

function explainFile(error: NodeJS.ErrnoException & { dest?: string }, { dataDir }: Places): string | undefined {
  const { code = "", path, dest, syscall } = error;
  const advice = fileAdvice[code];
  // An opened file has no path any more: `read` says so of a folder, or of a disk with errors.
  const place = dest ?? path ?? (syscall === "read" ? `Something in ${dataDir}` : undefined);
  return advice && place && syscall !== "connect" ? `${place} can't be used (${code}). ${advice}` : undefined;
}
