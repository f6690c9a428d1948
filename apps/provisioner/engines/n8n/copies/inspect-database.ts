/**
 * Inspects a copy of n8n's database, as a separate process of the control plane (see EngineBackups.inspector). It is a complete program
 * that needs only Node.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const file = join(process.argv[2] ?? "", ".n8n", "database.sqlite");
if (!existsSync(file)) throw new Error("there is no database in it");
// Opening it applies a log file beside it.
const database = new DatabaseSync(file, { enableForeignKeyConstraints: false, enableDoubleQuotedStringLiterals: false });
const one = (sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0];
const found = one("pragma integrity_check(1)");
if (found !== "ok") throw new Error(`the database is damaged: ${String(found).slice(0, 300)}`);
const count = (table: string): number => Number(one(`select count(*) from ${table}`));
console.log(
  JSON.stringify({ workflows: count("workflow_entity"), credentials: count("credentials_entity"), executions: count("execution_entity") }),
);
database.close();
