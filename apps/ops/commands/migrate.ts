import { migrate as applyMigrations } from "#database/migrate.ts";
import { openDatabase } from "#platform/database.ts";
import type { Command } from "../command.ts";

/** Applies the migrations of this release. Processes with MIGRATIONS=job wait for it; others would do it at their start. */
export const migrate: Command = {
  name: "migrate",
  summary: "Migrate the database to this release's schema before its processes start",
  onAnySchema: true,
  async run({ connection, log, print }) {
    const database = openDatabase(connection, log, { max: 1 });
    try {
      const applied = await applyMigrations(database, log);
      print(applied === 0 ? "The database was up to date." : `${applied} migrations applied.`);
    } finally {
      await database.close();
    }
  },
};
