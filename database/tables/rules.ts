/** Rules that the database itself keeps, for values that TypeScript only promises: another release, a repair by hand or a bug writes rows, too. */
import { getTableColumns, getTableName, sql, type SQL } from "drizzle-orm";
import { check, type AnyPgColumn, type CheckBuilder } from "drizzle-orm/pg-core";

const ruleOf = (column: AnyPgColumn, rule: string, holds: SQL): CheckBuilder =>
  check(`${getTableName(column.table)}_${column.name}_${rule}`, holds);

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Each column takes only the values of its own `enum`, or null: the list from which its type is made. */
export const listed = (...columns: AnyPgColumn[]): CheckBuilder[] =>
  columns.map((column) => ruleOf(column, "listed", sql`${column} in (${sql.raw(valuesOf(column).map(quoted).join(", "))})`));

/** What a table's rules are given has a column's name, but not its values. */
function valuesOf({ table, name }: AnyPgColumn): readonly string[] {
  const values = Object.values(getTableColumns(table)).find((each) => each.name === name)?.enumValues;
  if (!values || values.length === 0) throw new Error(`The column ${name} has no list of values.`);
  return values;
}

/** Each column counts something: never below zero. */
export const counts = (...columns: AnyPgColumn[]): CheckBuilder[] =>
  columns.map((column) => ruleOf(column, "not_negative", sql`${column} >= 0`));

/** Each column is a day, as YYYY-MM-DD: text, because a driver would turn a date into a moment of its own time zone. */
export const days = (...columns: AnyPgColumn[]): CheckBuilder[] =>
  columns.map((column) => ruleOf(column, "day", sql`${column} ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'`));

/** Each column has no capital letters: it is compared as it is, and its unique index would allow two of one. */
export const lowercase = (...columns: AnyPgColumn[]): CheckBuilder[] =>
  columns.map((column) => ruleOf(column, "lowercase", sql`${column} = lower(${column})`));
