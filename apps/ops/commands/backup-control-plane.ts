import { DatabaseError } from "pg";
import { DumpRefused } from "#database/dump/load-dump.ts";
import { BackupFailure } from "#domain/backups/backup-failure.ts";
import { noteDump } from "#domain/signals/dump-store.ts";
import { openDatabase } from "#platform/database.ts";
import { dumpSessions } from "#platform/postgres/session-counts.ts";
import { CommandRefused, type Command } from "../command.ts";
import { openDumps, openTrial, refuseWithoutRoom, rowsOf } from "../dumps.ts";

/** Two weeks of nightly ones. */
const keptByDefault = 14;
const mostKept = 1000;
/** Arbitrary: of the one dump at a time. */
const lockKey = 7_236_499;

/** A dump counts once it was restored, and an older one is removed only then. */
export const backupControlPlane: Command = {
  name: "backup-control-plane",
  summary: "Write the service's own database, encrypted, to the storage of backups, restore it on trial, and remove the oldest",
  options: {
    keep: { type: "string", summary: `how many dumps to keep, ${keptByDefault} if left out` },
    list: { type: "boolean", summary: "only list the dumps" },
  },
  async run(context, { options }) {
    const { config, db, connection, clock, log, print } = context;
    const keep = Number(options["keep"] ?? keptByDefault);
    if (!Number.isInteger(keep) || keep < 1 || keep > mostKept) throw new CommandRefused(`--keep must be a number from 1 to ${mostKept}.`);
    const dumps = await openDumps(context);
    if (options["list"]) {
      const names = await dumps.list();
      for (const name of names) print(name);
      print(`${names.length} ${names.length === 1 ? "dump" : "dumps"} in ${dumps.place}.`);
      const untried = await dumps.listUntried();
      if (untried.length > 0)
        print(
          `Not restored on trial, by a command that runs or was killed: ${untried.join(", ")}. The next run removes those older than 12 hours.`,
        );
      return;
    }
    const database = openDatabase(connection, log, { max: dumpSessions.dump + dumpSessions.lock, kind: "dump" });
    const session = await database.pool.connect();
    try {
      const { rows: locks } = await session.query<{ taken: boolean }>(`select pg_try_advisory_lock(${lockKey}) as taken`);
      if (!locks[0]?.taken) throw new CommandRefused("Another dump is being made.");
      if (!config.databaseUrl) await refuseWithoutRoom(database.pool, config.dataDir);
      const trial = await openTrial(dumps, connection, log);
      try {
        const abandoned = await dumps.removeAbandoned(clock.now());
        if (abandoned.length > 0) print(`Removed, because no command finished them: ${abandoned.join(", ")}.`);
        const { name, bytes } = await dumps
          .write(database.pool, clock.now())
          .catch((error: unknown) => refuse("No dump was written", error));
        const loaded = await trial.load(name).catch(async (error: unknown) => {
          // What cannot be restored must not be taken for a dump. A storage or server that is away says nothing about it.
          if (!(error instanceof DumpRefused || error instanceof BackupFailure || error instanceof DatabaseError))
            return refuse(`The dump ${name} is written, but could not be tried`, error);
          await dumps.remove(name).catch(() => undefined);
          return refuse("The dump could not be restored and was removed again", error);
        });
        await dumps.noteTried(name);
        await noteDump(db, clock.now());
        print(`Written and restored on trial: ${name} (${bytes} bytes, ${rowsOf(loaded)} rows) in ${dumps.place}.`);
        const old = (await dumps.list()).filter((each) => each !== name).slice(0, -(keep - 1) || undefined);
        for (const each of old) await dumps.remove(each);
        if (old.length > 0) print(`Removed: ${old.join(", ")}.`);
      } finally {
        await trial.close();
      }
    } finally {
      session.release(true);
      await database.close();
    }
  },
};

function refuse(what: string, error: unknown): never {
  if (!(error instanceof Error)) throw error;
  const reason =
    error instanceof BackupFailure && error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
  throw new CommandRefused(`${what}: ${reason}`);
}
