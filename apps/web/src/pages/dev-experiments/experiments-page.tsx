import { FlaskConical } from "lucide-react";
import { overrideVariant, useOverrides } from "../../features/experiments/use-variant.ts";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { notify } from "../../lib/notices/notices.ts";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/notices/empty-state.tsx";
import { t } from "./words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("experiments.page") };

/** All variants. The service tells a browser only its own, so the testers' page lists them here. */
const variants = ["control", "variant"] as const;

/** For testers: shows this browser another variant than the assigned one. Open to everyone, because it changes nothing for others. */
export function Component() {
  const { featureFlags } = useFrontEndConfig();
  const overrides = useOverrides();
  const names = [...new Set([...Object.keys(featureFlags), ...Object.keys(overrides)])].sort();
  return (
    <div className="max-w-2xl">
      <h1 className="text-2xl font-semibold">{t("experiments.title")}</h1>
      <p className="mt-1 mb-6 text-sm text-ink-soft">{t("experiments.lead")}</p>
      {names.length === 0 ? (
        <EmptyState icon={<FlaskConical className="size-6" aria-hidden="true" />} title={t("experiments.empty")}>
          {t("experiments.emptyText")}
        </EmptyState>
      ) : null}
      <div className="space-y-4">
        {names.map((name) => (
          <ExperimentCard key={name} name={name} assigned={featureFlags[name]} forced={overrides[name]} />
        ))}
      </div>
    </div>
  );
}

function ExperimentCard({ name, assigned, forced }: { name: string; assigned: string | undefined; forced: string | undefined }) {
  const choose = (variant: string | null) => {
    if (!overrideVariant(name, variant)) notify("warning", t("experiments.notKept"));
  };
  const choices = [null, ...new Set([...variants, ...(assigned ? [assigned] : []), ...(forced ? [forced] : [])])];
  return (
    <Card label={name} className="p-5">
      <fieldset>
        <legend className="font-mono text-sm font-semibold [overflow-wrap:anywhere]">{name}</legend>
        <p className="mt-1 text-[0.8125rem] text-ink-soft">
          {assigned ? t("experiments.assigned", { variant: assigned }) : t("experiments.unassigned")}
        </p>
        <div className="mt-3 flex flex-wrap gap-x-6 gap-y-2">
          {choices.map((variant) => (
            <label key={variant ?? ""} className="flex min-h-6 items-center gap-2 text-sm">
              <input
                type="radio"
                name={name}
                checked={(forced ?? null) === variant}
                onChange={() => choose(variant)}
                className="size-4 accent-accent"
              />
              {variant ?? t("experiments.asAssigned")}
            </label>
          ))}
        </div>
      </fieldset>
    </Card>
  );
}
