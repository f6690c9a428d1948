/**
 * A table that becomes a card per row on a narrow screen, with each value preceded by its column's name. Some browsers drop the roles of a
 * table when its display changes, so they are written out.
 */
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export interface Column<Row> {
  label: string;
  cell: (row: Row) => ReactNode;
  /** Aligned at its end. */
  isNumber?: boolean;
  /** Only screen readers need the name, such as that of a column of buttons. */
  isLabelHidden?: boolean;
}

interface TableProps<Row> {
  label: string;
  /** The first column names the row. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** Stays a table on a narrow screen: for a few columns of numbers, which fit. */
  fits?: boolean;
  /** Reaches from edge to edge of its card. */
  flush?: boolean;
  className?: string;
}

/** Rows and columns; a card per row if they do not fit. */
export function Table<Row>({ label, columns, rows, keyOf, fits = false, flush = false, className }: TableProps<Row>) {
  const edges = flush ? (fits ? "first:pl-5 last:pr-5 sm:first:pl-6 sm:last:pr-6" : "sm:first:pl-6 sm:last:pr-6") : null;
  const alignOf = ({ isNumber }: Column<Row>) => (isNumber ? "text-right tabular-nums last:pr-0" : "last:pr-0");
  return (
    <table role="table" aria-label={label} className={classNames("w-full text-left text-sm", !fits && "max-sm:block", className)}>
      <thead role="rowgroup" className={fits ? undefined : "max-sm:sr-only"}>
        <tr role="row">
          {columns.map((column, place) => (
            <th
              key={`${place} ${column.label}`}
              role="columnheader"
              scope="col"
              className={classNames("py-2 pr-4 text-[0.8125rem] font-medium text-ink-soft", alignOf(column), edges)}
            >
              {column.isLabelHidden ? <span className="sr-only">{column.label}</span> : column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className={classNames("divide-y divide-line border-line", fits ? "border-t" : "sm:border-t max-sm:block")}>
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row" className={classNames(!fits && "max-sm:block max-sm:py-3.5", !fits && flush && "max-sm:px-5")}>
            {columns.map((column, place) =>
              place === 0 ? (
                <th
                  key={`${place} ${column.label}`}
                  role="rowheader"
                  scope="row"
                  className={classNames(
                    "pr-4 [overflow-wrap:anywhere]",
                    fits ? "py-1.5 font-normal" : "py-2.5 font-medium max-sm:block max-sm:p-0 max-sm:pb-1.5",
                    edges,
                  )}
                >
                  {column.cell(row)}
                </th>
              ) : (
                <td
                  key={`${place} ${column.label}`}
                  role="cell"
                  data-label={column.isLabelHidden ? undefined : column.label}
                  className={classNames(
                    "pr-4 [overflow-wrap:anywhere]",
                    alignOf(column),
                    fits
                      ? "py-1.5"
                      : "named-cell py-2.5 max-sm:flex max-sm:justify-between max-sm:gap-4 max-sm:p-0 max-sm:py-0.5 max-sm:empty:hidden",
                    edges,
                  )}
                >
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
