import { useQuery } from "@tanstack/react-query";
import { lazy } from "react";
import { AfterPaint } from "../../lib/browser/after-paint.tsx";
import { loadPage } from "../../lib/faults/chunk-reload.ts";
import { Card } from "../../ui/card.tsx";
import { UsageLoading } from "./usage-loading.tsx";
import { usageQuery } from "./usage-query.ts";
import { t } from "../workspace/words.ts";

const UsageFigures = lazy(() =>
  loadPage(() => import("./figures/usage-figures.tsx")).then(({ UsageFigures: figures }) => ({ default: figures })),
);

/** How much of the plan is used. */
export function UsageSection() {
  // The figures and what shows them are requested together.
  useQuery(usageQuery);
  return (
    <Card label={t("workspace.usage")}>
      <h2 className="border-b border-line px-5 py-3.5 font-semibold sm:px-6">{t("workspace.usage")}</h2>
      <AfterPaint waiting={<UsageLoading />}>
        <UsageFigures />
      </AfterPaint>
    </Card>
  );
}
