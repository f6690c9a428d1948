/** What a migration must not do to a table that grows: rewrite it, scan it under a lock, or change its rows in one statement. */

/** Tables whose number of rows does not grow with customers or time. All others are taken to grow. */
export const smallTables: ReadonlySet<string> = new Set([
  "plans",
  "plan_specs",
  "hosts",
  "leases",
  "service_state",
  "billing_lanes",
  "fleet_updates",
]);

const statementsOf = (text: string): string[] =>
  text
    .replaceAll(/\/\*[^]*?\*\//g, " ")
    .replaceAll(/--> statement-breakpoint/g, ";")
    .replaceAll(/^\s*--.*$/gm, " ")
    .split(";")
    .map((statement) => statement.replaceAll(/\s+/g, " ").trim())
    .filter((statement) => statement !== "");

const name = String.raw`(?:only )?(?:if (?:not )?exists )?(?:"?public"?\.)?"?(\w+)"?`;
const tableOf = (pattern: string) => new RegExp(`^${pattern} ${name}`, "i");

/** What is refused, where, and what to do instead. The first group is the table. */
const rules: { statement: RegExp; unless?: RegExp; because: string }[] = [
  {
    statement: new RegExp(String.raw`^create (?:unique )?index (?!concurrently)(?:if not exists )?"?\w+"? on ${name}`, "i"),
    because: "stops every write while the index is made: use .concurrently(), in a file of its own",
  },
  {
    statement: new RegExp(String.raw`^alter table ${name} .*\badd constraint .*(?:foreign key|check)\b`, "i"),
    unless: /not valid$/i,
    because: "checks every row under a lock: add it NOT VALID, and VALIDATE it in a later file",
  },
  {
    statement: new RegExp(String.raw`^alter table ${name} .*\badd (?:constraint "?\w+"? )?(?:unique|primary key)\b`, "i"),
    unless: /using index/i,
    because: "makes an index under a lock: make it concurrently first, and add the constraint USING INDEX",
  },
  {
    statement: new RegExp(String.raw`^alter table ${name} .*\balter column "?\w+"? (?:set data )?type\b`, "i"),
    because: "rewrites the table: add a column, fill it by a job, and drop the old one a release later",
  },
  {
    statement: new RegExp(String.raw`^alter table ${name} .*\bset not null\b`, "i"),
    because: "reads every row under a lock: add a CHECK (… is not null) NOT VALID, and VALIDATE it in a later file",
  },
  {
    statement: new RegExp(String.raw`^alter table ${name} .*\badd column .*\b(?:not null|default)\b`, "i"),
    unless: /default (?:'[^']*'|-?\d+(?:\.\d+)?|true|false|null|now\(\))(?:::[\w" ]+)?(?: not null)?$/i,
    because: "fails on existing rows, or computes a default for each of them: use a constant default",
  },
  {
    statement: new RegExp(String.raw`^alter table ${name} .*\badd column .*\badd column\b`, "i"),
    because: "is checked for one column at a time: add each in a statement of its own",
  },
  {
    statement: new RegExp(String.raw`^alter table ${name} .*\badd column .*\b(?:generated always as|(?:big|small)?serial)\b`, "i"),
    because: "rewrites the table: fill a plain column by a job",
  },
  { statement: tableOf("update"), because: "changes every row in one transaction: fill it by a job, some rows at a time" },
  { statement: tableOf("delete from"), because: "changes every row in one transaction: remove them by a job, some rows at a time" },
  { statement: tableOf("lock table"), because: "locks the table for as long as the file takes" },
  { statement: tableOf("vacuum full"), because: "rewrites the table" },
  { statement: tableOf("cluster"), because: "rewrites the table" },
];

/** One sentence for each statement of a migration that readers or writers of a growing table would wait for, or that would fail there. */
export function dangersOf(migration: string): string[] {
  const statements = statementsOf(migration);
  const created = new Set(statements.flatMap((statement) => tableOf("create table").exec(statement)?.[1] ?? []));
  const dangers = statements.flatMap((statement) =>
    rules.flatMap(({ statement: pattern, unless, because }) => {
      const table = pattern.exec(statement)?.[1];
      if (table === undefined || smallTables.has(table) || created.has(table) || unless?.test(statement)) return [];
      return [`${table}: ${because}`];
    }),
  );
  const isConcurrent = (statement: string) => /^create (?:unique )?index concurrently/i.test(statement);
  if (statements.some(isConcurrent) && !statements.every(isConcurrent))
    dangers.push("indexes that are made concurrently need a file without anything else, because they need no transaction");
  const added = statements.some((statement) => /\bnot valid$/i.test(statement));
  if (added && statements.some((statement) => /\bvalidate constraint\b/i.test(statement)))
    dangers.push("a constraint that is validated in the file that adds it is checked under the lock of adding it: use a later file");
  return dangers;
}
