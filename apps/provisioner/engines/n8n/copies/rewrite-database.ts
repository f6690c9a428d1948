/**
 * Writes n8n's database anew, as a separate process of the control plane (see EngineBackups.rewrite): SQLite leaves deleted rows in free
 * pages, in gaps, and in the log file. It is a complete program that needs only Node.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const folder = process.argv[2] ?? "";
// Opening it applies a log file beside it.
const database = new DatabaseSync(join(folder, ".n8n", "database.sqlite"), { enableForeignKeyConstraints: false });
// There is no folder for temporary files.
database.exec("pragma temp_store = memory");
database.prepare("vacuum into ?").run(join(folder, "rewritten.sqlite"));
database.close();
