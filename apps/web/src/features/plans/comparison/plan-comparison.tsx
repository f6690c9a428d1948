import { Check, Minus } from "lucide-react";
import type { Plan } from "#contract/billing/plans/plan.ts";
import { useFrontEndConfig } from "../../../lib/front-end-config.ts";
import { Card } from "../../../ui/card.tsx";
import { Table, type Column } from "../../../ui/table.tsx";
import { t } from "../../billing/words.ts";
import { comparePlans, type ComparisonRow } from "./comparison.ts";

/** All plans and features side by side; on a narrow screen a card per feature. */
export function PlanComparison({ plans }: { plans: readonly Plan[] }) {
  const { columns, rows } = comparePlans(plans, useFrontEndConfig());
  return (
    <section aria-label={t("plans.compare.title")}>
      <h2 className="mb-3 text-lg font-semibold">{t("plans.compare.title")}</h2>
      <Card className="overflow-hidden">
        <Table
          label={t("plans.compare.title")}
          columns={[
            { label: t("plans.compare.feature"), cell: ({ name }) => <span className="sm:font-normal sm:text-ink-soft">{name}</span> },
            ...columns.map((label, place): Column<ComparisonRow> => ({ label, cell: ({ cells }) => <Cell value={cells[place]!} /> })),
          ]}
          rows={rows}
          keyOf={({ name }) => name}
          isEven
          flush
        />
      </Card>
    </section>
  );
}

function Cell({ value }: { value: string | boolean }) {
  return typeof value === "string" ? value : <Mark isIncluded={value} />;
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
