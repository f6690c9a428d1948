/**
 * Finds what a migration takes from a program of an earlier release that still runs: columns and tables that it reads, and rules that its
 * writes may break. CONTRIBUTING.md has the rules, and oldest-program.ts says which programs are meant.
 */

/** The tables that the program knows, by name, with the names of their columns, as drizzle-kit's snapshot has them. */
export type KnownTables = Readonly<Record<string, ReadonlySet<string>>>;

/** drizzle-kit's snapshot of a migration, as far as it is read here. */
interface Snapshot {
  tables: Record<string, { name: string; columns: Record<string, unknown> }>;
}

export function readSnapshot({ tables }: Snapshot): KnownTables {
  return Object.fromEntries(Object.values(tables).map(({ name, columns }) => [name, new Set(Object.keys(columns))]));
}

const name = String.raw`(?:"?public"?\.)?"?(?<table>\w+)"?`;
const column = String.raw`"?(?<column>\w+)"?`;
const alter = String.raw`^alter table (?:if exists )?(?:only )?${name} `;

/** Each takes something from a program that knows the table; with a column, only from one that knows the column. */
const steps: readonly { pattern: RegExp; takes: string }[] = [
  { pattern: new RegExp(`^drop table (?:if exists )?${name}`, "i"), takes: "a table it reads" },
  { pattern: new RegExp(`^truncate (?:table )?${name}`, "i"), takes: "rows it reads" },
  { pattern: new RegExp(`${alter}drop column (?:if exists )?${column}`, "i"), takes: "a column it reads" },
  { pattern: new RegExp(`${alter}rename (?:column )?${column} to`, "i"), takes: "a column it reads, by its name" },
  { pattern: new RegExp(`${alter}rename to`, "i"), takes: "a table it reads, by its name" },
  { pattern: new RegExp(`${alter}alter column ${column} (?:set data )?type`, "i"), takes: "the type of a column it reads" },
  { pattern: new RegExp(`${alter}alter column "?\\w+"? set not null`, "i"), takes: "rows it writes without this column" },
  { pattern: new RegExp(`${alter}alter column ${column} drop default`, "i"), takes: "rows it writes without this column" },
  // Neither `not null` with a default nor a nullable column.
  {
    pattern: new RegExp(`${alter}add column (?:if not exists )?(?!.*\\b(?:default|generated|bigserial|serial)\\b).*\\bnot null\\b`, "i"),
    takes: "rows it writes without this column",
  },
  { pattern: new RegExp(`${alter}add constraint`, "i"), takes: "rows it writes that break the constraint" },
  { pattern: new RegExp(`^create unique index .* on (?:only )?${name}`, "i"), takes: "rows it writes that are not unique" },
  { pattern: new RegExp(`^create (?:or replace )?(?:constraint )?trigger .* on ${name}`, "i"), takes: "writes that the trigger refuses" },
  // Its `on conflict` names a unique index by its columns.
  { pattern: /^drop index /i, takes: "an index that its `on conflict` may need" },
  { pattern: new RegExp(`${alter}drop constraint`, "i"), takes: "a key that its `on conflict` may need" },
];

/** The statements of a migration that take something from a program that knows these tables, with what they take. */
export function contractSteps(migration: string, known: KnownTables): { statement: string; takes: string }[] {
  return statementsOf(migration).flatMap((statement) => {
    const found = steps.find(({ pattern }) => {
      const { table, column: taken } = pattern.exec(statement)?.groups ?? {};
      if (!pattern.test(statement)) return false;
      if (table === undefined) return true;
      return known[table] !== undefined && (taken === undefined || known[table].has(taken));
    });
    return found ? [{ statement, takes: found.takes }] : [];
  });
}

/** Each on one line, without comments. `alter table` with several actions is one statement for each of them. */
function statementsOf(migration: string): string[] {
  return migration
    .replaceAll(/--> statement-breakpoint/g, ";")
    .replaceAll(/--[^\n]*/g, "")
    .split(";")
    .map((statement) => statement.replaceAll(/\s+/g, " ").trim())
    .filter(Boolean)
    .flatMap((statement) => {
      const [, head, actions] = /^(alter table (?:if exists )?(?:only )?\S+ )(.*)$/i.exec(statement) ?? [];
      if (!head || !actions) return [statement];
      return actions.split(/,\s*(?=(?:add|alter|drop|rename)\b)/i).map((action) => head + action);
    });
}
