/**
 * The service's database as a stream of lines: a heading, then for each table a line that names its columns, its rows in PostgreSQL's text
 * format of COPY and the line that ends them, and last the totals. The tables themselves are not in it: they are what the migrations up to
 * the heading's make.
 */

/** The first line. */
export interface DumpHeading {
  /** Of this format. */
  format: 1;
  /** The newest migration of the database, in milliseconds since 1970, as in the journal of migrations. */
  migration: number;
  /** The version of the program that wrote it. */
  release: string;
  /** The moment of the snapshot, by the database's clock, ISO 8601. */
  at: string;
}

/** Begins the rows of a table. */
export interface DumpTable {
  table: string;
  columns: string[];
}

/** The last line: a dump without it was cut off. */
export interface DumpTotals {
  /** By table. */
  rows: Record<string, number>;
  /** The last value of each sequence, in digits; null if it was never used. */
  sequences: Record<string, string | null>;
}

/** Ends the rows of a table. No row can be this: COPY doubles each backslash of a value. */
export const endOfRows = "\\.";
