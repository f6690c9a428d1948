import { Check, Minus } from "lucide-react";
import type { Plan } from "#contract/billing/plan.ts";
import { useFrontEndConfig } from "../../../lib/front-end-config.ts";
import { Card } from "../../../ui/card.tsx";
import { t } from "../../billing/words.ts";
import { comparePlans, type ComparisonRow } from "./comparison.ts";

/** All plans and features side by side; few enough columns for a narrow screen. */
export function PlanComparison({ plans }: { plans: readonly Plan[] }) {
  const { columns, rows } = comparePlans(plans, useFrontEndConfig());
  return (
    <section aria-label={t("plans.compare.title")}>
      <h2 className="mb-3 text-lg font-semibold">{t("plans.compare.title")}</h2>
      <Card className="overflow-hidden">
        <table className="w-full table-fixed text-sm max-sm:text-[0.8125rem]">
          <thead>
            <tr className="border-b border-line">
              <th scope="col" className="w-[30%] p-3 text-left font-medium text-ink-soft max-sm:pr-1 sm:w-1/3 sm:px-6">
                {t("plans.compare.feature")}
              </th>
              {columns.map((column) => (
                <th key={column} scope="col" className="p-3 text-left font-semibold [overflow-wrap:anywhere] max-sm:px-1.5">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map((row) => (
              <Row key={row.name} row={row} />
            ))}
          </tbody>
        </table>
      </Card>
    </section>
  );
}

function Row({ row: { name, cells } }: { row: ComparisonRow }) {
  return (
    <tr>
      <th scope="row" className="px-3 py-2.5 text-left font-normal text-ink-soft max-sm:pr-1 sm:px-6">
        {name}
      </th>
      {cells.map((cell, index) => (
        // The columns have no other name than their place.
        <td key={`${name}-${index}`} className="px-3 py-2.5 [overflow-wrap:anywhere] max-sm:px-1.5">
          {typeof cell === "string" ? cell : <Mark isIncluded={cell} />}
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
