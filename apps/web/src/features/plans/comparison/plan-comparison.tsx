/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- lost when the display changes */
import { Check, ChevronDown, Minus } from "lucide-react";
import { useId, useState, type CSSProperties } from "react";
import type { Plan } from "#contract/billing/plans/plan.ts";
import { useFrontEndConfig } from "../../../lib/front-end-config.ts";
import { Card } from "../../../ui/card.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { t } from "../../billing/words.ts";
import { comparePlans, type ComparisonRow } from "./comparison.ts";

/** On a narrow screen a row's name is above its values, which have the columns to themselves. */
const rowGrid = "max-sm:grid max-sm:grid-cols-[repeat(var(--plans),minmax(0,1fr))] max-sm:px-5";
const firstCell = "sm:w-1/3 sm:pl-6";
const cell = "py-2.5 pr-4 last:pr-0 sm:last:pr-6 [overflow-wrap:anywhere]";

/**
 * All plans and features side by side, below headings that stay in view. What differs comes first; on a narrow screen the rest is shown on
 * request.
 */
export function PlanComparison({ plans }: { plans: readonly Plan[] }) {
  const { columns, rows } = comparePlans(plans, useFrontEndConfig());
  const [isWhole, setIsWhole] = useState(false);
  const id = useId();
  const hasMore = rows.some(({ differs }) => !differs);
  return (
    <section aria-label={t("plans.compare.title")}>
      <h2 className="mb-3 text-lg font-semibold">{t("plans.compare.title")}</h2>
      {/* Clipped, because headings do not stay in view in a box that hides its overflow. */}
      <Card className="overflow-clip">
        <table
          id={id}
          role="table"
          aria-label={t("plans.compare.title")}
          className="w-full text-left text-sm max-sm:block sm:table-fixed"
          style={{ "--plans": columns.length } as CSSProperties}
        >
          <thead role="rowgroup" className="sticky top-0 z-10 bg-surface shadow-[0_1px_0_var(--color-line)] max-sm:block">
            <tr role="row" className={rowGrid}>
              <th role="columnheader" scope="col" className={classNames("max-sm:sr-only", cell, firstCell)}>
                <span className="text-[0.8125rem] font-medium text-ink-soft">{t("plans.compare.feature")}</span>
              </th>
              {columns.map((name) => (
                <th key={name} role="columnheader" scope="col" className={classNames("font-semibold", cell)}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup" className="divide-y divide-line max-sm:block">
            {rows.map((row) => (
              <Row key={row.name} {...row} isShown={row.differs || isWhole} />
            ))}
          </tbody>
        </table>
        {hasMore ? (
          <button
            type="button"
            aria-expanded={isWhole}
            aria-controls={id}
            onClick={() => setIsWhole(!isWhole)}
            className="flex min-h-11 w-full items-center justify-center gap-2 border-t border-line px-5 text-sm font-medium text-accent sm:hidden"
          >
            {isWhole ? t("plans.compare.onlyDifferences") : t("plans.compare.all", { count: rows.length })}
            <ChevronDown className={classNames("size-4", isWhole && "rotate-180")} aria-hidden="true" />
          </button>
        ) : null}
      </Card>
    </section>
  );
}

/** `isShown` matters on a narrow screen only. */
function Row({ name, cells, isShown }: ComparisonRow & { isShown: boolean }) {
  return (
    <tr role="row" className={isShown ? rowGrid : "max-sm:hidden"}>
      <th
        role="rowheader"
        scope="row"
        className={classNames("font-normal text-ink-soft max-sm:col-span-full max-sm:pt-2.5 max-sm:pr-0 max-sm:pb-0", cell, firstCell)}
      >
        {name}
      </th>
      {cells.map((value, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- the columns stay in their order
        <td key={place} role="cell" className={classNames("max-sm:pt-0.5 max-sm:font-medium", cell)}>
          {typeof value === "string" ? value : <Mark isIncluded={value} />}
        </td>
      ))}
    </tr>
  );
}

function Mark({ isIncluded }: { isIncluded: boolean }) {
  return (
    <>
      {isIncluded ? (
        <Check className="size-4 text-accent" strokeWidth={2.5} aria-hidden="true" />
      ) : (
        <Minus className="size-4 text-ink-soft" aria-hidden="true" />
      )}
      <span className="sr-only">{t(isIncluded ? "plans.compare.yes" : "plans.compare.no")}</span>
    </>
  );
}
