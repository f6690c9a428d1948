/** A start with what its release prepared is compared with one that makes everything itself. */
import { mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { runBare } from "#testing/engines/run-bare.ts";
import { createTestN8n } from "#testing/engines/n8n/create-test-n8n.ts";

const engine = createTestN8n();
const { version } = engine.releases[0]!;
/** Three starts of n8n. */
const timeoutMs = 5 * 60_000;

/** Starts a workspace in an empty folder and stops it as soon as it is ready. */
async function firstStart({ isPrepared }: { isPrepared: boolean }) {
  const folder = await mkdtemp(join(tmpdir(), "slipway-quick-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const spec = engine.runSpec(
    {
      id: "quick",
      number: 1,
      generation: 1,
      run: true,
      timezone: "Etc/UTC",
      memoryMb: 1024,
      publicUrl: "http://quick.localhost",
      panelUrl: "http://localhost",
      secrets: engine.createSecrets(),
    },
    version,
  );
  const env = isPrepared ? spec.env : { ...spec.env, SLIPWAY_PREPARED: "/nowhere" };
  const run = await runBare(engine, { ...spec, env }, folder);
  const page = await fetch(`http://${run.address}/home/workflows`, { headers: { accept: "text/html" } });
  const html = (await page.text()).replaceAll(/nonce="[^"]*"/g, "");
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)![1]!;
  const served = await (await fetch(`http://${run.address}${script}`)).text();
  const logs = await run.logs();
  await run.stop();
  return { folder, html, script: served, logs, shared: spec.env["SLIPWAY_PREPARED"]! };
}

type Rows = Record<string, unknown>[];

/** A database with all ids and times replaced: equal databases are equal texts. */
function readDatabase(folder: string) {
  const db = new DatabaseSync(join(folder, ".n8n", "database.sqlite"), { readOnly: true });
  const rows = (sql: string) => db.prepare(sql).all() as Rows;
  const schema = rows("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name").map(
    (row) => ({
      ...row,
    }),
  );
  const tables = schema.filter((row) => (row as Rows[number])["type"] === "table").map((row) => String((row as Rows[number])["name"]));
  const user = String(rows('SELECT id FROM "user"')[0]!["id"]);
  const project = String(rows("SELECT id FROM project")[0]!["id"]);
  const keys = rows("SELECT id, value FROM deployment_key");
  const plain = (name: string, value: unknown) => {
    if (/At$|^timestamp$/i.test(name)) return "time";
    if (value === user) return "the user";
    if (value === project) return "the project";
    return value;
  };
  const content = Object.fromEntries(
    tables.map((table) => [
      table,
      rows(`SELECT * FROM "${table}"`)
        .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(name, value)])))
        .map((row) => JSON.stringify(table === "deployment_key" ? { ...row, id: "own", value: "own" } : row))
        .toSorted(),
    ]),
  );
  db.close();
  return { schema, content, secrets: [user, project, ...keys.flatMap(({ id, value }) => [String(id), String(value)])] };
}

/** Every file below the folder, with its text. */
async function readTree(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file.slice(folder.length), await readFile(file, "latin1")] as const)),
  );
}

test(
  "a prepared first start has the same database and editor as n8n makes itself, and shares no key or id with another",
  { timeout: timeoutMs },
  async () => {
    await engine.install(version, () => undefined);
    await engine.prepare!(version);
    const own = await firstStart({ isPrepared: false });
    const [one, other] = [await firstStart({ isPrepared: true }), await firstStart({ isPrepared: true })];
    expect(own.logs).not.toContain("quick start");
    for (const what of ["compiled code", "editor files", "data folder"]) expect(one.logs).toContain(`quick start: ${what}`);
    expect(one.logs).not.toContain("Starting migration");

    const [made, given, another] = [own, one, other].map(({ folder }) => readDatabase(folder));
    expect(given!.schema).toEqual(made!.schema);
    expect(given!.content).toEqual(made!.content);
    expect(given!.content["deployment_key"]!.length).toBeGreaterThan(3);
    expect(given!.secrets.filter((each) => another!.secrets.includes(each))).toEqual([]);

    expect([one.html, one.script]).toEqual([own.html, own.script]);
    const ownEditor = await readTree(join(own.folder, ".cache", "n8n", "public"));
    const served = join(one.folder, "tmp", "editor");
    const differing: string[] = [];
    // Not by toEqual: the difference of 46 MB would take minutes to print.
    for (const [name, text] of Object.entries(ownEditor)) if ((await readFile(join(served, name), "latin1")) !== text) differing.push(name);
    expect(differing).toEqual([]);
    expect(Object.keys(ownEditor).length).toBeGreaterThan(100);
    expect(await readlink(join(served, "types", "nodes.json"))).toContain(one.shared);
    expect(await readdir(one.folder)).not.toContain(".cache");

    const [runtime] = await readdir(one.shared);
    const prepared = join(one.shared, runtime!);
    const template = await readFile(join(prepared, "database.sqlite"), "latin1");
    expect(given!.secrets.filter((each) => template.includes(each))).toEqual([]);
  },
);
