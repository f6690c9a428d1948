import { useQuery } from "@tanstack/react-query";
import { latePart } from "../../lib/first-view/late-part.tsx";
import { Card } from "../../ui/card.tsx";
import { UsageLoading, UsageNotLoaded } from "./usage-loading.tsx";
import { usageQuery } from "./usage-query.ts";
import { t } from "../workspace/words.ts";

const UsageFigures = latePart(async () => (await import("./figures/usage-figures.tsx")).UsageFigures, {
  waiting: () => <UsageLoading />,
  failed: (failure) => <UsageNotLoaded {...failure} />,
});

/** How much of the plan is used. */
export function UsageSection() {
  // The figures and what shows them are requested together.
  useQuery(usageQuery);
  return (
    <Card label={t("workspace.usage")}>
      <h2 className="border-b border-line px-5 py-3.5 font-semibold sm:px-6">{t("workspace.usage")}</h2>
      <UsageFigures />
    </Card>
  );
}
