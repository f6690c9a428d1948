import { openDatabase } from "#platform/database.ts";
import { CommandRefused, type Command } from "../command.ts";

/** More does not fit a terminal. */
const mostRows = 1000;
/** Cells wider than this are cut. */
const mostWidth = 60;

/** Runs one query in a transaction that PostgreSQL itself keeps from writing, for questions that no other command answers. */
export const sqlCommand: Command = {
  name: "sql",
  parameters: ["query"],
  summary: "Run one SQL query that only reads, for at most 30 seconds, and print its first 1,000 rows",
  async run({ connection, log, print }, { arguments: [query = ""] }) {
    // A session of its own, which ends with the command: a query could otherwise leave settings or locks behind in it.
    const { pool, close } = openDatabase(connection, log, { max: 1, kind: "query" });
    try {
      const client = await pool.connect();
      try {
        await client.query("begin read only");
        // Only one statement can be declared as a cursor, and only one be prepared: none ends the transaction and begins another.
        await client.query({ text: `declare asked no scroll cursor for ${query}`, name: "ask" });
        const { fields, rows } = await client.query<unknown[]>({ text: `fetch ${mostRows + 1} from asked`, rowMode: "array" });
        for (const line of asTable(
          fields.map(({ name }) => name),
          rows.slice(0, mostRows),
        ))
          print(line);
        print(
          rows.length > mostRows ? `Only the first ${mostRows} rows are shown.` : `${rows.length} ${rows.length === 1 ? "row" : "rows"}.`,
        );
      } catch (error) {
        if (error instanceof Error && "severity" in error) throw new CommandRefused(`PostgreSQL refused it: ${error.message}`);
        throw error;
      } finally {
        client.release(true);
      }
    } finally {
      await close();
    }
  },
};

function asTable(names: readonly string[], rows: readonly unknown[][]): string[] {
  const cells = rows.map((row) => row.map(written));
  const widths = names.map((name, column) => Math.min(mostWidth, Math.max(name.length, ...cells.map((row) => row[column]!.length))));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (cell.length > mostWidth ? `${cell.slice(0, mostWidth - 1)}…` : cell.padEnd(widths[column]!)))
      .join("  ")
      .trimEnd();
  return [line(names), line(widths.map((width) => "-".repeat(width))), ...cells.map(line)];
}

/** Without line breaks and other control characters: values are customers' text. */
function written(value: unknown): string {
  const text =
    value === null ? "" : value instanceof Date ? value.toISOString() : typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
}
