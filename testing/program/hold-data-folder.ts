/**
 * A program for tests that holds a data folder as the real one does: prints one line of JSON when it has it or was refused, stops the
 * database when its input ends, and can be killed.
 */
import { acquireDataFolder } from "#platform/postgres/server/data-folder-lock.ts";
import { startEmbeddedPostgres } from "#platform/postgres/embedded-postgres.ts";
import { createLog } from "#platform/log.ts";

const dataDir = process.argv[2] ?? "";
const print = (answer: object) => process.stdout.write(`${JSON.stringify(answer)}\n`);

try {
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLog("silent"), settings: { fsync: "off" } });
  await acquireDataFolder(postgres.connection, dataDir);
  print({ adopted: postgres.adopted, connection: postgres.connection });
  process.stdin.resume().once("end", () => void postgres.stop().then(() => process.exit(0)));
} catch (error) {
  print({ refusal: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  process.exit(1);
}
