/** What workspaces share of n8n's rehearsal: the editor's files as n8n wrote them, and the database that it created and migrated. */
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { noTemplate, placeholder } from "./workspace-side/data-template.mts";

/**
 * Everything that may be in the template, by table. Anything else that n8n has written in another release is unknown here, and could be a
 * secret.
 */
const knownTables: ReadonlySet<string> = new Set([
  "instance_version_history",
  "migrations",
  "project",
  "project_relation",
  "role",
  "role_scope",
  "scope",
  "settings",
  "user",
]);
/** n8n's defaults, none of them secret. */
const knownSettings: ReadonlySet<string> = new Set([
  "userManagement.isInstanceOwnerSetUp",
  "ui.banners.dismissed",
  "features.ldap",
  "chat.access.enabled",
]);

/** SQLite's codes for a statement that does not fit the tables, and for a row that breaks a rule. */
const otherTables: ReadonlySet<number> = new Set([1, 19]);

/** Whether the cause is this host, such as a full disk, and not what the release wrote. */
function isOfHost(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode !== undefined && !otherTables.has(errcode & 0xff);
}

/**
 * Moves the editor's files, and writes the database without keys and ids. If this release has written something unknown, the reason is kept
 * instead of the database, and workspaces make their own. Rejects if this host cannot write it now, because what is kept is kept
 * permanently.
 */
export async function keepRehearsal(folder: string, prepared: string): Promise<void> {
  await rename(join(folder, ".cache", "n8n", "public"), join(prepared, "editor"));
  const template = join(prepared, "database.sqlite");
  try {
    writeTemplate(join(folder, ".n8n", "database.sqlite"), template);
  } catch (error) {
    if (isOfHost(error)) throw error;
    await rm(template, { force: true });
    await writeFile(join(prepared, noTemplate), (error as Error).message);
  }
}

/** Every workspace makes its own keys at its first start, because none are there. Throws if the database contains something unknown. */
export function writeTemplate(database: string, template: string): void {
  const db = new DatabaseSync(database);
  try {
    db.exec("PRAGMA foreign_keys = OFF; DELETE FROM deployment_key");
    db.prepare(`UPDATE "user" SET id = ?`).run(placeholder.user);
    db.prepare("UPDATE project SET id = ?, creatorId = ?").run(placeholder.project, placeholder.user);
    db.prepare("UPDATE project_relation SET projectId = ?, userId = ?").run(placeholder.project, placeholder.user);
    const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all() as {
      name: string;
    }[];
    const unknown = tables
      .map(({ name }) => name)
      .filter((name) => !knownTables.has(name) && db.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get() !== undefined);
    const settings = (db.prepare("SELECT key FROM settings").all() as { key: string }[]).map(({ key }) => key);
    unknown.push(...settings.filter((key) => !knownSettings.has(key)));
    const [users, projects] = ["user", "project"].map(
      (table) => (db.prepare(`SELECT count(*) AS count FROM "${table}"`).get() as { count: number }).count,
    );
    if (unknown.length > 0 || users !== 1 || projects !== 1)
      throw new Error(`this release writes more at its first start: ${unknown.join(", ")} (${users} users, ${projects} projects)`);
    // Not a copy: deleted keys would still be in its free pages.
    db.prepare("VACUUM INTO ?").run(template);
  } finally {
    db.close();
  }
}
