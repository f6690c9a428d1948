/** Makes a database from a dump. */
import { finished } from "node:stream/promises";
import { escapeIdentifier, type Pool, type PoolClient } from "pg";
import { from as copyFrom, type CopyStreamQuery } from "pg-copy-streams";
import { allowSilence } from "#platform/database.ts";
import { limitSession, sessionLimits } from "#platform/postgres/session-limits.ts";
import { migrateTo } from "../migrate.ts";
import { endOfRows, type DumpHeading, type DumpTable, type DumpTotals } from "./dump-format.ts";
import { readTables } from "./write-dump.ts";

/** The dump cannot be loaded; its message is for the operator. */
export class DumpRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DumpRefused";
  }
}

export interface Loaded extends DumpHeading {
  /** By table. */
  rows: Record<string, number>;
}

/**
 * Loads a dump of this release, or of an earlier one, into an empty database: everything or nothing. Its tables are those of the dump's
 * release: migrate afterwards. Needs no superuser. Throws DumpRefused.
 */
export async function loadDump(pool: Pool, content: AsyncIterable<Buffer>): Promise<Loaded> {
  const client = await pool.connect();
  const lines = linesOf(content);
  try {
    // One table may take long, and the storage may pause, whatever the pool is for.
    allowSilence(client);
    await limitSession(client, sessionLimits.dump);
    await client.query("begin");
    const loaded = await load(client, lines);
    await client.query("commit");
    return loaded;
  } finally {
    // Its source ends too, if it was not read to its end.
    await lines.return(undefined);
    // Closed, not returned: that also ends a transaction that failed.
    client.release(true);
  }
}

async function load(client: PoolClient, lines: AsyncGenerator<Buffer, undefined>): Promise<Loaded> {
  const next = async (): Promise<Buffer> => {
    const { value, done } = await lines.next();
    if (done) throw new DumpRefused("The dump is cut off.");
    return value;
  };
  const heading = parse<DumpHeading>(await next());
  if (heading.format !== 1) throw new DumpRefused(`The dump has the unknown format ${heading.format}.`);
  await refuseUnlessEmpty(client);
  if (!(await migrateTo(client, heading.migration)))
    throw new DumpRefused(`The dump was written by a newer release (${heading.release}). Restore it with that one.`);
  const tables = (await readTables(client)).map(({ table }) => table);
  const references = await readReferences(client);
  // Checked at the end instead of row by row, because a table may come before those that it refers to.
  for (const { table, name } of references) await client.query(`alter table ${table} drop constraint ${name}`);
  const triggers = await readTriggers(client);
  for (const { table, name } of triggers) await client.query(`alter table ${table} disable trigger ${name}`);
  // What migrations write into new tables is in the dump as well, as it is now.
  await client.query(`truncate ${tables.map(escapeIdentifier).join(", ")}`);
  const rows: Record<string, number> = {};
  for (;;) {
    const part = parse<DumpTable | DumpTotals>(await next());
    if ("rows" in part) {
      if (!isSame(part.rows, rows)) throw new DumpRefused("The dump is damaged: its rows are not as many as it says.");
      for (const [name, at] of Object.entries(part.sequences))
        if (at !== null) await client.query("select setval($1::regclass, $2)", [`public.${escapeIdentifier(name)}`, at]);
      break;
    }
    rows[part.table] = await loadTable(client, part, next);
  }
  for (const { table, name, mode } of triggers) await client.query(`alter table ${table} enable ${mode} trigger ${name}`);
  for (const { table, name, definition } of references) await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  await client.query("analyze");
  return { ...heading, rows };
}

async function refuseUnlessEmpty(client: PoolClient): Promise<void> {
  const { rowCount } = await client.query("select from pg_tables where schemaname in ('public', 'drizzle') limit 1");
  if (rowCount !== 0) throw new DumpRefused("The database is not empty, and a dump is loaded only into an empty one.");
}

interface Reference {
  table: string;
  name: string;
  definition: string;
}

/** Foreign keys, with their names as SQL writes them. */
async function readReferences(client: PoolClient): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `select conrelid::regclass::text as "table", quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`,
  );
  return rows;
}

interface Trigger {
  table: string;
  name: string;
  /** When it acts, as SQL writes it: empty, `always` or `replica`. */
  mode: string;
}

/** Those that act, without the ones of foreign keys, with names as SQL writes them. */
async function readTriggers(client: PoolClient): Promise<Trigger[]> {
  const { rows } = await client.query<Trigger>(
    `select tgrelid::regclass::text as "table", quote_ident(tgname) as name,
       case tgenabled when 'A' then 'always' when 'R' then 'replica' else '' end as mode
     from pg_trigger join pg_class on pg_class.oid = tgrelid
     where not tgisinternal and tgenabled <> 'D' and relnamespace = 'public'::regnamespace`,
  );
  return rows;
}

/** Returns how many rows it had. */
async function loadTable(client: PoolClient, { table, columns }: DumpTable, next: () => Promise<Buffer>): Promise<number> {
  const into = client.query(copyFrom(`copy ${escapeIdentifier(table)} (${columns.map(escapeIdentifier).join(", ")}) from stdin`));
  const ended = finished(into);
  ended.catch(() => undefined);
  let held: Buffer[] = [];
  let heldBytes = 0;
  const flush = async () => {
    if (!into.write(Buffer.concat(held))) await Promise.race([drained(into), ended]);
    [held, heldBytes] = [[], 0];
  };
  try {
    for (let row = await next(); !row.equals(endLine); row = await next()) {
      held.push(row, newLine);
      heldBytes += row.length + 1;
      if (heldBytes > writeBytes) await flush();
    }
  } catch (error) {
    into.destroy();
    throw error;
  }
  if (heldBytes > 0) await flush();
  into.end();
  await ended;
  return into.rowCount;
}

const drained = (into: CopyStreamQuery) => new Promise((resolve) => into.once("drain", resolve));

const newLine = Buffer.from("\n");
const endLine = Buffer.from(endOfRows);
/** Larger writes are no faster. */
const writeBytes = 64 * 1024;

function parse<Part>(text: Buffer): Part {
  try {
    return JSON.parse(text.toString("utf8")) as Part;
  } catch (error) {
    throw new DumpRefused(`The dump is damaged: ${(error as Error).message}`);
  }
}

const isSame = (one: Record<string, number>, other: Record<string, number>): boolean =>
  Object.keys(one).length === Object.keys(other).length && Object.entries(one).every(([key, value]) => other[key] === value);

/** Without their ends. What follows the last line break is no line. */
async function* linesOf(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  let held: Buffer[] = [];
  for await (const chunk of content) {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      const piece = chunk.subarray(from, at);
      yield held.length === 0 ? piece : Buffer.concat([...held, piece]);
      held = [];
      from = at + 1;
    }
    if (from < chunk.length) held.push(chunk.subarray(from));
  }
  return undefined;
}
