/**
 * The data folder of a first start comes from the release's rehearsal: a database that n8n itself created and migrated, without its keys.
 * The ids of the one user and project in it become this workspace's own; n8n then makes its keys as in an empty folder.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Placeholders for the ids in the template, which does not contain the rehearsal's own. */
export const placeholder = { user: "00000000-0000-4000-8000-000000000000", project: "0000000000000000" } as const;

/** The file with the reason why a release has no template. */
export const noTemplate = "no-template.txt";

/** n8n's own alphabet and length for ids. */
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** In n8n's format. */
const now = "STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')";

/** False if there is data already. The database is written completely or not at all. Throws if there is no template. */
export function placeTemplate(folder: string, prepared: string): boolean {
  const data = join(folder, ".n8n");
  if (["database.sqlite", "config"].some((name) => existsSync(join(data, name)))) return false;
  if (existsSync(join(prepared, noTemplate))) throw new Error(readFileSync(join(prepared, noTemplate), "utf8"));
  const arriving = join(folder, "tmp", "database.sqlite");
  // The journal of a killed start belongs to that start's copy, and would be applied to this one.
  for (const name of [arriving, `${arriving}-journal`]) rmSync(name, { force: true });
  copyFileSync(join(prepared, "database.sqlite"), arriving);
  // The template is read-only.
  chmodSync(arriving, 0o600);
  giveIds(arriving);
  mkdirSync(data, { recursive: true });
  renameSync(arriving, join(data, "database.sqlite"));
  return true;
}

function newProjectId(): string {
  let id = "";
  // Bytes beyond a multiple of the alphabet's length would favor its first letters.
  while (id.length < 16) for (const byte of randomBytes(16)) if (byte < 248 && id.length < 16) id += alphabet[byte % 62];
  return id;
}

function giveIds(path: string): void {
  const db = new DatabaseSync(path);
  try {
    const [user, project] = [randomUUID(), newProjectId()];
    db.exec("PRAGMA foreign_keys = OFF; BEGIN");
    db.prepare(`UPDATE "user" SET id = ?, createdAt = ${now}, updatedAt = ${now}`).run(user);
    db.prepare(`UPDATE project SET id = ?, creatorId = ?, createdAt = ${now}, updatedAt = ${now}`).run(project, user);
    db.prepare(`UPDATE project_relation SET projectId = ?, userId = ?, createdAt = ${now}, updatedAt = ${now}`).run(project, user);
    db.exec(`UPDATE instance_version_history SET createdAt = ${now}; COMMIT`);
  } finally {
    db.close();
  }
}
