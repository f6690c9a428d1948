/** Checks the pages about cryptography and data against the code: their lists must be complete. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import * as tables from "#database/tables.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), "utf8");
/** The rows of every table of the page whose heading begins with this cell. */
function rowsOf(page: string, firstHeading: string): string[][] {
  const lines = read(page)
    .split("\n")
    .map((line) =>
      line.startsWith("|")
        ? line
            .split("|")
            .slice(1, -1)
            .map((cell) => cell.trim())
        : [],
    );
  return lines.flatMap(([heading], at) => {
    if (heading !== firstHeading) return [];
    const rows = lines.slice(at + 2);
    return rows.slice(
      0,
      rows.findIndex(({ length }) => length === 0),
    );
  });
}
const spans = (cell = ""): string[] => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);
/** Compares two sets and names the differences; duplicates do not count. */
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].toSorted();

/** Whatever makes, checks or hides: Node's and the browser's own, the libraries that do nothing else, and randomness of any quality. */
const cryptography =
  /(?:from |import\(|require\()"(?:node:)?(?:crypto|tls|https)"|from "@node-rs\/argon2"|from "altcha-lib|\bsubtle\b|\bcrypto\.(?:getRandomValues|randomUUID)\b|\bMath\.random\b/;
const sources = globSync(["{apps,contract,database,domain,payments,platform}/**/*.{ts,tsx,mts,mjs}", "tools/**/*.mjs"], {
  cwd: root,
  exclude: ["**/*.test.*", "**/node_modules/**", "apps/web/dist/**"],
});

test("each file with cryptography in it is on the page, and no other", () => {
  const used = sources.filter((file) => cryptography.test(read(file)));
  expect(used.length).toBeGreaterThan(40);
  const listed = rowsOf("docs/security/cryptography.md", "use").flatMap((row) => spans(row.at(-1)));
  // Lines to others are encrypted by libraries, in files that name no cryptography themselves.
  const byLibraries = rowsOf("docs/security/cryptography.md", "line").flatMap((row) => spans(row.at(-1)));
  expect(sorted(listed)).toEqual(sorted(used));
  expect(byLibraries.filter((file) => !sources.includes(file))).toEqual([]);
});

test("what the page says about the algorithms matches the code", () => {
  const page = read("docs/security/cryptography.md");
  const facts: [file: string, code: RegExp, said: string][] = [
    ["domain/accounts/password.ts", /memoryCost: 19_456, timeCost: 2, parallelism: 1/, "19,456 KiB, 2 passes, 1 lane"],
    ["domain/exports/credentials-key.ts", /N: 65_536, r: 8, p: 1/, "N 65,536, r 8, p 1"],
    ["domain/accounts/token.ts", /randomBytes\(32\)/, "256 random bits"],
    ["platform/secrets.ts", /aes-256-gcm[^]*randomBytes\(12\)/, "AES-256-GCM, random nonce of 96 bits"],
    ["domain/challenges/altcha-challenge.ts", /cost = 2000/, "2,000 rounds"],
    ["apps/provisioner/engines/workspace-side/token-claims.mts", /tokenLifetimeMs = 60_000/, "60 s"],
  ];
  for (const [file, code, said] of facts) {
    expect(read(file), file).toMatch(code);
    expect(page, file).toContain(said);
  }
});

/** Lists of leaked passwords use SHA-1 everywhere, and a look-up in one needs no strong hash. */
const askedFor = ["domain/passwords/password-ranges.ts"];

test("no broken algorithm is used anywhere, except where a third-party service requires it", () => {
  const broken = /["'`](?:md5|sha1|sha-1|rc4|des|des-ede3-cbc|aes-\d+-(?:ecb|cbc))["'`]/i;
  expect(sources.filter((file) => broken.test(read(file)))).toEqual(askedFor);
});

const schema = Object.values(tables)
  .filter((each) => is(each, PgTable))
  .map(getTableConfig);
const levels = ["public", "internal", "personal", "secret"];
const listedTables = rowsOf("docs/security/data.md", "table");

test("each table has its level, and no removed table is listed", () => {
  expect(listedTables.flatMap(([name]) => spans(name)).toSorted()).toEqual(schema.map(({ name }) => name).toSorted());
  for (const [name, level = "", , , retention] of listedTables) {
    expect(levels, name).toContain(level);
    expect(retention, name).toMatch(/\w/);
  }
});

/** Their `address` is a machine's, not a person's. */
const machineAddresses = new Set(["workspaces.address", "hosts.address"]);
/** Columns whose names say that they hold secrets or their hashes, such as a workspace's `secrets` and the keys of exports. */
const speaksOfSecrets = /hash|token|secret|encrypted|password|credentials_key$/;

test("columns belong to their tables, those with secrets in their names are listed as such, and a table's level is that of its most sensitive column", () => {
  const trouble: string[] = [];
  for (const { name: table, columns } of schema) {
    const [, level = "", personalCell, secretCell] = listedTables.find(([cell]) => spans(cell)[0] === table)!;
    const [personal, secret] = [spans(personalCell), spans(secretCell)];
    const names = columns.map((column) => column.name);
    trouble.push(...[...personal, ...secret].filter((column) => !names.includes(column)).map((column) => `${table}.${column} is gone`));
    trouble.push(
      ...names
        .filter((column) => speaksOfSecrets.test(column) && !secret.includes(column))
        .map((column) => `${table}.${column} is not listed as secret`),
    );
    trouble.push(
      ...names
        .filter(
          (column) =>
            /email|full_name|recipient|postal|line[12]$|^address$|vat_id/.test(column) &&
            ![...personal, ...secret].includes(column) &&
            !machineAddresses.has(`${table}.${column}`),
        )
        .map((column) => `${table}.${column} is not listed as personal`),
    );
    const expected = secret.length > 0 ? "secret" : personal.length > 0 ? "personal" : level;
    if (level !== expected) trouble.push(`${table} has ${expected} columns and is called ${level}`);
  }
  expect(trouble).toEqual([]);
});

test("each level has a rule for every question, each with the file that implements it", () => {
  const rules = rowsOf("docs/security/data.md", "rule");
  expect(rules.map((row) => row.length).filter((length) => length !== levels.length + 2)).toEqual([]);
  expect(rules.length).toBeGreaterThan(6);
  for (const row of rules)
    expect(
      row.filter((cell) => cell === ""),
      row[0],
    ).toEqual([]);
});
