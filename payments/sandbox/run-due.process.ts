/** A worker to be killed by run-due.test.ts. */
import { openDatabase } from "#platform/database.ts";
import { createLog } from "#platform/log.ts";
import { runDue } from "./run-due.ts";

const [connection, at] = process.argv.slice(2);
const { db, close } = openDatabase(JSON.parse(connection!), createLog("silent"), { max: 2 });
await runDue(db, new Date(at!));
await close();
process.disconnect?.();
