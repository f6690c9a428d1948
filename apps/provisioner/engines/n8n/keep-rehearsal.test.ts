import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { removeTree } from "../install/seal-tree.ts";
import { keepRehearsal, writeTemplate } from "./keep-rehearsal.ts";
import { placeTemplate } from "./workspace-side/data-template.mts";

const rehearsed = { user: "40d6e0cc-7152-4e86-9c7f-3190d8f0ff7f", project: "XX53P73UXKOg24KX", key: "a-key-of-the-rehearsal" };

/** The tables of a first start that have ids or keys, as n8n names them. */
function rehearse(folder: string, extra = ""): string {
  const path = join(folder, "rehearsed.sqlite");
  const db = new DatabaseSync(path);
  db.exec(`
    CREATE TABLE deployment_key (id TEXT, value TEXT);
    CREATE TABLE "user" (id TEXT PRIMARY KEY, createdAt TEXT, updatedAt TEXT);
    CREATE TABLE project (id TEXT PRIMARY KEY, creatorId TEXT, createdAt TEXT, updatedAt TEXT);
    CREATE TABLE project_relation (projectId TEXT REFERENCES project(id), userId TEXT REFERENCES "user"(id), createdAt TEXT, updatedAt TEXT);
    CREATE TABLE instance_version_history (id INTEGER, createdAt TEXT);
    CREATE TABLE settings (key TEXT, value TEXT);
    CREATE TABLE credentials_entity (id TEXT);
    INSERT INTO deployment_key VALUES ('a', '${rehearsed.key}');
    INSERT INTO "user" VALUES ('${rehearsed.user}', '2026-01-01', '2026-01-01');
    INSERT INTO project VALUES ('${rehearsed.project}', '${rehearsed.user}', '2026-01-01', '2026-01-01');
    INSERT INTO project_relation VALUES ('${rehearsed.project}', '${rehearsed.user}', '2026-01-01', '2026-01-01');
    INSERT INTO instance_version_history VALUES (1, '2026-01-01');
    INSERT INTO settings VALUES ('ui.banners.dismissed', '["V1"]');
    ${extra}
  `);
  db.close();
  return path;
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "slipway-template-"));
  onTestFinished(() => removeTree(folder));
  return folder;
}

function readWorkspace(folder: string) {
  const db = new DatabaseSync(join(folder, ".n8n", "database.sqlite"), { readOnly: true });
  const row = (sql: string) => ({ ...db.prepare(sql).get() }) as Record<string, string>;
  const read = {
    user: row('SELECT * FROM "user"'),
    project: row("SELECT * FROM project"),
    relation: row("SELECT * FROM project_relation"),
    keys: row("SELECT count(*) AS count FROM deployment_key")["count"],
    broken: db.prepare("PRAGMA foreign_key_check").all(),
  };
  db.close();
  return read;
}

function newWorkspace(prepared: string) {
  const folder = makeFolder();
  mkdirSync(join(folder, "tmp"));
  expect(placeTemplate(folder, prepared)).toBe(true);
  return readWorkspace(folder);
}

test("nothing of the rehearsal's keys and ids is in the template, not even in freed pages", () => {
  const folder = makeFolder();
  writeTemplate(rehearse(folder), join(folder, "database.sqlite"));
  const bytes = readFileSync(join(folder, "database.sqlite"), "latin1");
  for (const secret of Object.values(rehearsed)) expect(bytes).not.toContain(secret);
});

test("two workspaces from one template share no id, and neither has a key", () => {
  const folder = makeFolder();
  writeTemplate(rehearse(folder), join(folder, "database.sqlite"));
  const [one, other] = [newWorkspace(folder), newWorkspace(folder)];
  expect(one.user["id"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(one.project["id"]).toMatch(/^[0-9A-Za-z]{16}$/);
  expect(one.user["id"]).not.toBe(other.user["id"]);
  expect(one.project["id"]).not.toBe(other.project["id"]);
  for (const { user, project, relation, keys, broken } of [one, other]) {
    expect([project["creatorId"], relation["userId"], relation["projectId"]]).toEqual([user["id"], user["id"], project["id"]]);
    expect(user["createdAt"]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/);
    expect([keys, broken]).toEqual([0, []]);
  }
});

test("a release that writes something unknown at its first start has no template", () => {
  const folder = makeFolder();
  const database = rehearse(folder, "INSERT INTO credentials_entity VALUES ('c'); INSERT INTO settings VALUES ('a.new.secret', 'x');");
  expect(() => writeTemplate(database, join(folder, "database.sqlite"))).toThrow(/credentials_entity, a\.new\.secret/);
  expect(existsSync(join(folder, "database.sqlite"))).toBe(false);
});

test("a folder with data in it keeps its own", () => {
  const folder = makeFolder();
  writeTemplate(rehearse(folder), join(folder, "database.sqlite"));
  for (const name of ["config", "database.sqlite"]) {
    const workspace = makeFolder();
    mkdirSync(join(workspace, ".n8n", name), { recursive: true });
    expect(placeTemplate(workspace, folder)).toBe(false);
  }
});

/** A rehearsal's folder as n8n leaves it. */
function rehearsedFolder(extra = ""): string {
  const folder = makeFolder();
  for (const each of [".n8n", join(".cache", "n8n", "public")]) mkdirSync(join(folder, each), { recursive: true });
  copyFileSync(rehearse(makeFolder(), extra), join(folder, ".n8n", "database.sqlite"));
  return folder;
}

test("a release that writes differently is recorded permanently; a full disk is not, so that it is retried", async () => {
  for (const extra of ["INSERT INTO credentials_entity VALUES ('c')", "DROP TABLE deployment_key"]) {
    const prepared = makeFolder();
    await keepRehearsal(rehearsedFolder(extra), prepared);
    expect(readdirSync(prepared).toSorted()).toEqual(["editor", "no-template.txt"]);
  }
  const prepared = makeFolder();
  symlinkSync("/nowhere/at/all", join(prepared, "database.sqlite"));
  await expect(keepRehearsal(rehearsedFolder(), prepared)).rejects.toThrow("unable to open database");
  expect(readdirSync(prepared)).not.toContain("no-template.txt");
});

test("leftovers of a killed start's copy do not reach the next one", () => {
  const folder = makeFolder();
  writeTemplate(rehearse(folder), join(folder, "database.sqlite"));
  const workspace = makeFolder();
  mkdirSync(join(workspace, "tmp"));
  const before = new DatabaseSync(join(workspace, "before.sqlite"));
  before.exec(`
    CREATE TABLE other (text TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO other SELECT hex(randomblob(200)) FROM n;
    PRAGMA cache_size = 10; BEGIN; UPDATE other SET text = hex(randomblob(200));
  `);
  copyFileSync(join(workspace, "before.sqlite-journal"), join(workspace, "tmp", "database.sqlite-journal"));
  before.exec("ROLLBACK");
  before.close();
  expect(placeTemplate(workspace, folder)).toBe(true);
  expect(readWorkspace(workspace).broken).toEqual([]);
});
