import { DumpRefused } from "#database/dump/load-dump.ts";
import { BackupFailure } from "#domain/backups/backup-failure.ts";
import { ageBeat } from "#domain/memory-gap/memory-gap-store.ts";
import { noteRestored } from "#domain/workspaces/hosts/found-store.ts";
import { openDatabase } from "#platform/database.ts";
import { acquireDataFolder } from "#platform/postgres/server/data-folder-lock.ts";
import { CommandRefused, type Command } from "../command.ts";
import { openDumps, rowsOf } from "../dumps.ts";
import { countErased } from "./erase.ts";

export const restoreControlPlane: Command = {
  name: "restore-control-plane",
  summary: "Restore the service's own database from its newest dump, or another one, into an empty database; the service must not run",
  options: { dump: { type: "string", summary: "its name, as backup-control-plane --list prints it" } },
  onAnySchema: true,
  mayCreate: true,
  async run(context, { options }) {
    const { config, connection, log, print } = context;
    const dumps = await openDumps(context);
    const names = await dumps.list();
    const name = (options["dump"] as string | undefined) ?? names.at(-1);
    if (name === undefined) throw new CommandRefused(`There is no dump in ${dumps.place}.`);
    const isUntried = !names.includes(name) && (await dumps.listUntried()).includes(name);
    if (isUntried) print(`${name} was never restored on trial.`);
    else if (!names.includes(name))
      throw new CommandRefused(`There is no dump ${name} in ${dumps.place}. There are: ${names.join(", ") || "none"}.`);
    // A service that starts meanwhile would migrate the empty database, and both would fail.
    const folder = await acquireDataFolder(connection, config.dataDir);
    const database = openDatabase(connection, log, { max: 1, kind: "dump" });
    try {
      const loaded = await dumps.load(database.pool, name);
      // Whatever happened since the dump is known to the payment provider only.
      if ("service_state" in loaded.rows) {
        await ageBeat(database.db);
        await noteRestored(database.db, context.clock.now());
      }
      print(`Restored: ${name}, ${rowsOf(loaded)} rows of ${loaded.at}, written by release ${loaded.release}.`);
      const erased = await countErased(context);
      if (erased > 0)
        print(
          `${erased} ${erased === 1 ? "account was" : "accounts were"} erased before. Those that this dump brings back are closed when the worker starts, and erased again after the comparison.`,
        );
      print("Start the service: it brings the tables up to date, and compares itself with the payment provider before anything else.");
    } catch (error) {
      if (error instanceof DumpRefused || error instanceof BackupFailure)
        throw new CommandRefused(`Nothing was restored: ${error.message}`);
      throw error;
    } finally {
      await database.close();
      await folder.release();
    }
  },
};
