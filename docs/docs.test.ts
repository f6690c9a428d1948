/** Checks the pages against the code: what they name must exist, and their lists must be complete. */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { expect, onTestFinished, test } from "vitest";
import { commands } from "#apps/ops/commands.ts";
import { readConfig } from "#apps/program/settings/config.ts";
import { secretSettings } from "#apps/program/settings/secret-files.ts";
import { readReleases } from "#apps/provisioner/engines/releases/read-releases.ts";
import { runSteps } from "#apps/provisioner/reconcile/run-steps.ts";
import { leftOutReasons } from "#domain/updates/fleet/fleet-update-store.ts";
import { journalEvents } from "#domain/workspaces/journal-events.ts";
import { deleteSteps, stopSteps } from "#apps/provisioner/reconcile/stop-steps.ts";
import { routes } from "#contract/routes.ts";
import * as tables from "#database/tables.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { knownSeconds } from "../tools/tests/file-seconds.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (page: string): string => readFileSync(join(root, page), "utf8");
const list = (pattern: string): string[] => globSync(pattern, { cwd: root }).toSorted();
const pages = [...list("*.md"), ...list("docs/**/*.md")];

/** Without fenced blocks: what is shown there is a command's, not ours. */
const prose = (text: string): string => text.replaceAll(/^ *```[^]*?^ *```$/gm, "");
const codeSpans = (text: string): string[] => [...prose(text).matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!);
/** The rows of every table whose first column has this heading, without the heading itself. */
function tableRows(text: string, firstHeading: string): string[][] {
  const tables = text.split(/\n(?!\|)/).map((block) =>
    block
      .split("\n")
      .map(cellsOf)
      .filter(({ length }) => length > 0),
  );
  const rows = tables.filter(([heading]) => heading?.[0] === firstHeading).flatMap((table) => table.slice(2));
  if (rows.length === 0) throw new Error(`there is no table that begins with "${firstHeading}"`);
  return rows;
}
const cellsOf = (line: string): string[] =>
  line.startsWith("|")
    ? line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim())
    : [];
const codeOf = (cell = ""): string => /^`([^`]+)`$/.exec(cell)?.[1] ?? "";

const topFolders = ["apps", "contract", "database", "deploy", "docs", "domain", "e2e", "payments", "platform", "testing", "tools"];
const pathPattern = new RegExp(`(?<![\\w./@#~-])(?:${topFolders.join("|")})/[\\w./*@-]*[\\w*]`, "g");
/** Made at run time, so not in a fresh clone. */
const madeLater = ["apps/web/dist"];
const searched = { cwd: root, exclude: ["node_modules/**", "**/node_modules/**", "data/**", "apps/web/dist/**"] };

test.each(pages.filter((page) => !page.startsWith("docs/runbooks/")))("every path named in %s exists", (page) => {
  const named = read(page).match(pathPattern) ?? [];
  const missing = named.filter(
    (path) => !madeLater.includes(path) && (path.includes("*") ? globSync(path, searched).length === 0 : !existsSync(join(root, path))),
  );
  expect(missing).toEqual([]);
});

const fileNames = new Set(globSync("**/*.*", searched).map((path) => basename(path)));

test.each(pages)("every file named in %s without its folder exists somewhere", (page) => {
  const exists = (name: string) => (name.includes("*") ? globSync(`**/${name}`, searched).length > 0 : fileNames.has(name));
  const names = codeSpans(read(page)).filter((span) => /^[\w.*-]+\.(ts|tsx|mts|mjs|md|css|sql)$/.test(span));
  expect(names.filter((name) => !exists(name))).toEqual([]);
});

/** As the usual forges make it: lowercase, punctuation gone, spaces to hyphens. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
const anchorsOf = (page: string): string[] => [...prose(read(page)).matchAll(/^#+ (.+)$/gm)].map((match) => anchorOf(match[1]!));

test.each(pages)("every relative link and picture of %s leads somewhere", (page) => {
  const text = prose(read(page));
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/(?:src|srcset|href)="([^"]+)"/g)].map((match) => match[1]!);
  const broken = targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? page : relative(root, join(root, dirname(page), path));
    return !existsSync(join(root, file)) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
  });
  expect(broken).toEqual([]);
});

test("every page is reached by links from the README", () => {
  const reached = new Set<string>();
  const visit = (page: string): void => {
    if (reached.has(page) || !page.endsWith(".md")) return;
    reached.add(page);
    for (const [, target] of prose(read(page)).matchAll(/\]\(([^)#\s]+)[^)]*\)/g))
      if (!target!.includes(":")) visit(relative(root, join(root, dirname(page), target!)));
  };
  visit("README.md");
  expect(pages.filter((page) => !reached.has(page))).toEqual([]);
});

const secret = { SECRET_KEY: "long enough to be a key of a service" };
/** Settings that only matter together with others are tested with those others given. */
const everythingOn = { ...secret, CHALLENGE: "turnstile", TURNSTILE_SITE_KEY: "site", TURNSTILE_SECRET_KEY: "secret", POSTHOG_KEY: "key" };

/** The names of the variables that are asked for. */
function settingsRead(): string[] {
  const names = new Set<string>();
  const remember = (name: string | symbol): void => void (typeof name === "string" && names.add(name));
  const spy = new Proxy<Record<string, string>>(secret, {
    get: (env, name) => (remember(name), Reflect.get(env, name)),
    has: (env, name) => (remember(name), Reflect.has(env, name)),
  });
  readConfig(spy);
  return [...names].filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name)).toSorted();
}

const settings = tableRows(read("docs/settings.md"), "Variable").map(([name, ...rest]) => [codeOf(name), ...rest] as const);

test("docs/settings.md lists exactly the settings that are read, and those that may be files", () => {
  const files = /A secret can be read from a file instead[^]*?\n\n/.exec(read("docs/settings.md"))![0].match(/\b[A-Z0-9_]+_FILE\b/g)!;
  expect(files.toSorted()).toEqual(secretSettings.map((name) => `${name}_FILE`).toSorted());
  expect([...settings.map(([name]) => name), ...files].toSorted()).toEqual(settingsRead());
});

test.each(settings)("the default of %s is the one docs/settings.md gives: %s", (name, cell, what) => {
  expect(what).toMatch(/\S/);
  const stated = codeOf(cell).replace("DATA_DIR", "./data");
  for (const base of [secret, everythingOn]) {
    if (name in base) continue;
    const given = { ...base, [name]: stated };
    expect(readConfig(given)).toEqual(readConfig(base));
  }
});

test("every npm command that a page names is one, and its script is there", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = pages.flatMap((page) => [...read(page).matchAll(/npm (?:run )?(start|test|(?<=run )[\w-]+)/g)].map((match) => match[1]!));
  const files = [...new Set(named)].map((name) => scripts[name]?.match(/tools\/[\w./-]+(?=$)/)?.[0] ?? scripts[name]);
  expect(files).not.toContain(undefined);
  expect(files.filter((file) => file?.startsWith("tools/") && !existsSync(join(root, file)))).toEqual([]);
});

test("docs/tables.md lists every table, and nothing else", () => {
  const known = Object.values(tables)
    .filter((each) => is(each, PgTable))
    .map((table) => getTableName(table));
  expect(
    tableRows(read("docs/tables.md"), "table")
      .map(([name]) => codeOf(name))
      .toSorted(),
  ).toEqual(known.toSorted());
});

test("docs/reconciler.md lists the reconciler's steps in their order", () => {
  const text = read("docs/reconciler.md");
  expect(tableRows(text, "step").map(([name]) => codeOf(name))).toEqual(runSteps.map(({ name }) => name));
  for (const steps of [stopSteps, deleteSteps]) {
    const inOrder = steps.map(({ name }) => `\`${name}\``).join(",\\s");
    expect(text).toMatch(new RegExp(inOrder));
  }
});

test("the runbook explains every event of the journal", () => {
  const explained = tableRows(read("docs/runbooks/read-a-journal.md"), "event").map(([name]) => codeOf(name));
  expect(explained.toSorted()).toEqual(journalEvents.toSorted());
});

test("the runbook of operators' commands lists each of them", () => {
  const listed = tableRows(read("docs/runbooks/operator-commands.md"), "command").map(([cell]) => /ops -- ([\w-]+)/.exec(cell!)?.[1]);
  expect(listed.toSorted()).toEqual(commands.map(({ name }) => name).toSorted());
});

test("the runbook explains every reason why a fleet update leaves a workspace out", () => {
  const explained = tableRows(read("docs/runbooks/update-the-fleet.md"), "reason").flatMap(([cell]) => cell!.match(/[\w-]+/g) ?? []);
  expect(explained.toSorted()).toEqual([...leftOutReasons].toSorted());
});

test("the runbook explains every way an install can fail", () => {
  const codes = /EngineInstallFailureCode = ([^;]+);/.exec(read("apps/provisioner/engines/engine.ts"))?.[1]?.match(/\w+/g) ?? [];
  expect(
    tableRows(read("docs/runbooks/engine-not-installed.md"), "code")
      .map(([name]) => codeOf(name))
      .toSorted(),
  ).toEqual(codes.toSorted());
});

test("the CHANGELOG names every release of the engine that is offered", () => {
  const changelog = read("CHANGELOG.md");
  const versions = readReleases("n8n", join(root, "apps/provisioner/engines/n8n/releases")).map(({ version }) => version);
  expect(versions.filter((version) => !changelog.includes(version))).toEqual([]);
});

test("the queries of the runbooks run", async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const queries = list("docs/runbooks/*.md").flatMap((page) =>
    [...read(page).matchAll(/^( *)```sql\n([^]*?)^\1```$/gm)].map((match) => match[2]!),
  );
  expect(queries.length).toBeGreaterThan(3);
  for (const query of queries) await expect(database.db.execute(query)).resolves.toBeDefined();
});

/** What no command does, because it is done by the owner of a table, or decided case by case. */
const writtenByHand: Readonly<Record<string, number>> = {
  // A law or a role that the service must not have.
  "docs/runbooks/audit-trail.md": 7,
  // How much is credited to whom.
  "docs/runbooks/a-workspace-reports-too-little.md": 3,
};

test("no page asks an operator to write into the database by SQL, except where it says why", () => {
  const asked = pages.filter((page) => page !== "CHANGELOG.md" && !/^docs\/(?:decisions|security)\//.test(page));
  const writes =
    /\b(?:insert into \w|update \w+(?:\s+\w)?\s+set \w|delete from \w|truncate \w|(?:alter|drop) (?:table|sequence|schema|database) \w|setval\()/gi;
  const found = Object.fromEntries(
    asked.map((page) => [page, read(page).match(writes)?.length ?? 0] as const).filter(([, times]) => times > 0),
  );
  expect(found).toEqual(writtenByHand);
});

test("every promise about payments is the exact title of a test", () => {
  const promises = tableRows(read("docs/payments.md"), "pitfall");
  expect(promises.length).toBeGreaterThan(30);
  expect(promises.filter(([, title = "", file = ""]) => !read(codeOf(file)).includes(title)).map(([, title]) => title)).toEqual([]);
});

const coverage = read("docs/coverage.md");

test("every title that the coverage gives is in the file that it names", () => {
  const proofs = [...coverage.matchAll(/`([\w./-]+\.ts)`: "([^"]+)"/g)].map(([, file, title]) => [file!, title!] as const);
  expect(proofs.length).toBeGreaterThan(150);
  expect(proofs.filter(([file, title]) => !read(file).includes(title))).toEqual([]);
});

test("every row of the coverage names a test, and every call of the contract has a row", () => {
  const rows = coverage
    .split("\n")
    .map(cellsOf)
    .filter(({ length }) => length > 0)
    .filter(([first, proof]) => !/^-+$/.test(first!) && proof !== "Proof" && proof !== "Test");
  expect(rows.filter(([, proof]) => !/`[\w./-]+(\.test|-suite)\.ts`/.test(proof ?? ""))).toEqual([]);
  const named = new Set(codeSpans(coverage));
  const calls = Object.values(routes).map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  expect(calls.filter((call) => !named.has(call))).toEqual([]);
});

/** OWASP ASVS 5.0.0: how many requirements of level 1 and 2 each section has; they are its first ones. */
const asvsSections: Record<string, number> = {
  "1.1": 2,
  "1.2": 9,
  "1.3": 11,
  "1.4": 3,
  "1.5": 2,
  "2.1": 3,
  "2.2": 3,
  "2.3": 4,
  "2.4": 1,
  "3.2": 2,
  "3.3": 4,
  "3.4": 6,
  "3.5": 5,
  "3.7": 2,
  "4.1": 3,
  "4.2": 1,
  "4.3": 2,
  "4.4": 4,
  "5.1": 1,
  "5.2": 3,
  "5.3": 2,
  "5.4": 3,
  "6.1": 3,
  "6.2": 12,
  "6.3": 4,
  "6.4": 4,
  "6.5": 5,
  "6.6": 3,
  "6.8": 4,
  "7.1": 3,
  "7.2": 4,
  "7.3": 2,
  "7.4": 5,
  "7.5": 2,
  "7.6": 2,
  "8.1": 2,
  "8.2": 3,
  "8.3": 1,
  "8.4": 1,
  "9.1": 3,
  "9.2": 4,
  "10.1": 2,
  "10.2": 2,
  "10.3": 4,
  "10.4": 11,
  "10.5": 5,
  "10.6": 2,
  "10.7": 3,
  "11.1": 2,
  "11.2": 3,
  "11.3": 3,
  "11.4": 4,
  "11.5": 1,
  "11.6": 1,
  "12.1": 3,
  "12.2": 2,
  "12.3": 4,
  "13.1": 1,
  "13.2": 5,
  "13.3": 2,
  "13.4": 5,
  "14.1": 2,
  "14.2": 4,
  "14.3": 3,
  "15.1": 3,
  "15.2": 3,
  "15.3": 7,
  "16.1": 1,
  "16.2": 5,
  "16.3": 4,
  "16.4": 3,
  "16.5": 3,
  "17.1": 1,
  "17.2": 4,
  "17.3": 2,
};

test("the page of ASVS has each requirement of level 1 and 2 once: met by a file that is there, open with its reason, or not applicable with one", () => {
  const text = read("docs/security/asvs.md");
  const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \|.*$/gm)].map(([line]) => cellsOf(line)).filter(({ length }) => length === 5);
  const apart = tableRows(text, "requirements");
  const numbers = [...rows.map(([number]) => number!), ...apart.flatMap(([group]) => group!.split(", "))];
  const wanted = Object.entries(asvsSections).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, at) => `${section}.${at + 1}`),
  );
  expect(numbers.toSorted()).toEqual(wanted.toSorted());
  const isOpen = (row: string[]): boolean => row[3]!.startsWith("**open**: ");
  const missing = rows.filter((row) => !isOpen(row) && codeSpans(row[4]!).length === 0);
  expect(missing).toEqual([]);
  for (const path of rows.flatMap((row) => codeSpans(row[4] ?? ""))) expect(existsSync(join(root, path)), path).toBe(true);
  for (const row of [...rows.filter(isOpen).map((open) => open[3]!.slice(10)), ...apart.map(([, why]) => why!)])
    expect(row).toMatch(/\w+ \w+/);
  const open = rows.filter(isOpen).length;
  expect(text).toContain(
    `Of ${wanted.length} requirements ${rows.length - open} are met, ${open} are **open**, ${wanted.length - rows.length} do not apply.`,
  );
});

test("the index of decisions lists each of them once, in order, by its title", () => {
  const files = readdirSync(join(root, "docs/decisions"))
    .filter((name) => name !== "README.md")
    .toSorted();
  // Gaps are fine: several people take numbers at the same time.
  const numbers = files.map((name) => name.slice(0, 4));
  expect(numbers).toEqual([...new Set(numbers)]);
  const entries = files.map((name) => `- [${/^# (.+)$/m.exec(read(`docs/decisions/${name}`))?.[1]}](${name})`);
  expect(read("docs/decisions/README.md").match(/^- .+$/gm)).toEqual(entries);
});

test.each(list("docs/decisions/0*.md"))("%s says what was given, what was chosen, why not the others, and what follows", (page) => {
  const text = read(page);
  expect(text).toMatch(/^# \d{4}\. \S.+\n\nStatus: (accepted|replaced by \d{4}), \d{4}-\d\d-\d\d\n/);
  expect(text.match(/^## .+$/gm)).toEqual(["## Context", "## Decision", "## Why not the others", "## Consequences"]);
});

const singular = (word: string): string[] => [word, word.replace(/s$/, ""), word.replace(/es$/, "")];
const words = tableRows(read("docs/words.md"), "word");

test("docs/words.md gives each word once, with its meaning", () => {
  expect(words.filter((row) => row.length !== 3 || !row[0] || !row[1])).toEqual([]);
  const terms = words.map(([term]) => term);
  expect(terms).toEqual([...new Set(terms)]);
});

test("what docs/words.md says about the wire is in the contract", () => {
  const contract = list("contract/**/*.ts").map(read).join("\n");
  const onTheWire = words
    .flatMap(([, meaning = ""]) => (meaning.includes("on the wire") ? codeSpans(meaning) : []))
    .map((name) => name.replace(/^\/api/, ""));
  expect(onTheWire.length).toBeGreaterThan(2);
  expect(onTheWire.filter((name) => !new RegExp(`\\b${name.replace(/^\//, "")}\\b`).test(contract))).toEqual([]);
});

test("every test file with a kept time exists", () => {
  expect(Object.keys(knownSeconds()).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("tables are named by the words", () => {
  const terms = words.flatMap(([term = "", meaning = ""]) => `${term} ${meaning}`.match(/\w+/g) ?? []);
  const known = Object.values(tables)
    .filter((each) => is(each, PgTable))
    .flatMap((table) => getTableName(table).split("_"));
  expect(known.filter((word) => !singular(word).some((each) => terms.includes(each)))).toEqual([]);
});

test.each(["runbooks/one-server", "cluster", "kubernetes", "docker", "many-processes", "settings"])(
  "docs/%s.md, which leads to production, says that panel and workspaces need a domain of their own",
  (guide) => expect(read(`docs/${guide}.md`)).toContain("move-to-a-server.md#a-domain-of-its-own"),
);

test("no file refers to a document or an issue that a reader of the repository cannot open", () => {
  const elsewhere = /\bSPEC(?:\.md)?(?:'s| §)|\bDESIGN(?:\.md| §)|\b(?:PAYMENTS|FACTS|SPEC)\.md|\b[Ii]ssue #?\d/;
  const sources = topFolders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,mts,mjs,css,md}`, searched));
  expect([...sources, ...list("*.md")].filter((file) => elsewhere.test(read(file)))).toEqual([]);
});

test("no file is a symbolic link, which some checkouts and archives turn into a file with the link's text", () => {
  const links = execFileSync("git", ["ls-files", "--stage"], { cwd: root, encoding: "utf8" }).match(/^120000 .*$/gm);
  expect(links).toBeNull();
});
