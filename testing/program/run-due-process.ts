/** A worker process that payments/sandbox/run-due.test.ts kills. */
import { runDue } from "#payments/sandbox/run-due.ts";
import { openDatabase } from "#platform/database.ts";
import { createLog } from "#platform/log.ts";

const [connection, at] = process.argv.slice(2);
const { db, close } = openDatabase(JSON.parse(connection!), createLog("silent"), { max: 2 });
await runDue(db, new Date(at!));
await close();
process.disconnect?.();
