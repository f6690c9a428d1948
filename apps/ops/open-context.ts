/** Opens the service's database for a command, whether the program is running or stopped. */
import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import { isMigrated, isNewer } from "#database/migrate.ts";
import { systemClock } from "#platform/clock.ts";
import { openDatabase } from "#platform/database.ts";
import { createLog, type Log } from "#platform/log.ts";
import { acquireDataFolder, DataFolderInUse } from "#platform/postgres/server/data-folder-lock.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "#platform/postgres/embedded-postgres.ts";
import { commandSessions } from "#platform/postgres/session-counts.ts";
import { createSecrets } from "#platform/secrets.ts";
import { StartTrouble } from "#platform/start-trouble.ts";
import { explainStart } from "../program/explain-start.ts";
import { readConfig, type Config } from "../program/settings/config.ts";
import { CommandRefused, type Command } from "./command.ts";
import type { OpenContext } from "./run-command.ts";

/** Whether these settings lead to a service: its database, or its data folder. */
export const findsService = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env["DATABASE_URL"] || env["DATABASE_URL_FILE"]) || existsSync(join(resolve(env["DATA_DIR"] || "data"), "postgres"));

/** Throws StartTrouble, ConfigInvalid or CommandRefused. Creates no data folder, unless the command may, and no tables. */
export async function openContext(
  env: NodeJS.ProcessEnv,
  print: (line: string) => void,
  { onAnySchema = false, mayCreate = false }: Pick<Command, "onAnySchema" | "mayCreate"> = {},
): Promise<OpenContext> {
  // Checked before the settings are read, because reading them would create the folder.
  if (!mayCreate && !findsService(env))
    throw new CommandRefused(
      `No Slipway data found in ${resolve(env["DATA_DIR"] || "data")}. Set DATA_DIR or DATABASE_URL as for the service.`,
    );
  const config = readConfig(env);
  const log = createLog(env["LOG_LEVEL"] ? config.logLevel : "error");
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl };
  const database = openDatabase(connection, log, { max: commandSessions });
  const close = async () => {
    await database.close();
    if (embedded && !embedded.adopted) await stopUnlessTaken(embedded, config.dataDir, log);
  };
  try {
    if (!(await isMigrated(database.db).catch((error: unknown) => refuse(error, config))) && !onAnySchema)
      throw new CommandRefused(
        "The database does not match this version. Start Slipway once to migrate it, or run npm run ops -- migrate.",
      );
    // Its tables may not be those that the command writes.
    if (!onAnySchema) await isNewer(database.db);
    const operator = env["SUDO_USER"] || userInfo().username;
    return {
      context: {
        config,
        db: database.db,
        connection,
        secrets: createSecrets(config.secretKey, config.previousSecretKey),
        clock: systemClock,
        log,
        operator,
        // Set by the image's command: there, every operator has the same user name.
        isContainer: Boolean(env["SLIPWAY_IN_IMAGE"]),
        print,
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Shows PostgreSQL's message, which contains neither the URL nor its password. */
function refuse(error: unknown, config: Config): never {
  const explained = explainStart(error, config);
  if (explained instanceof StartTrouble) throw explained;
  const { cause = error } = error as { cause?: unknown };
  const { code, message } = cause as NodeJS.ErrnoException;
  throw new StartTrouble(`The database can't be used: ${message || code}.`, { cause: error });
}

/** Stops the database that was started for this command, unless the service has started on it since. */
async function stopUnlessTaken(embedded: EmbeddedPostgres, dataDir: string, log: Log): Promise<void> {
  try {
    await acquireDataFolder(embedded.connection, dataDir);
  } catch (error) {
    if (error instanceof DataFolderInUse) return;
    throw error;
  }
  await embedded.stop();
  log.debug("the database is stopped again");
}
