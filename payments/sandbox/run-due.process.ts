/** A worker process that run-due.test.ts kills. */
import { openDatabase } from "#platform/database.ts";
import { createLog } from "#platform/log.ts";
import { runDue } from "./run-due.ts";

const [connection, at] = process.argv.slice(2);
const { db, close } = openDatabase(JSON.parse(connection!), createLog("silent"), { max: 2 });
await runDue(db, new Date(at!));
await close();
process.disconnect?.();
