import { Check, Minus } from "lucide-react";
import type { BackupOverview } from "#contract/workspaces/backup.ts";
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import { Notice } from "../../ui/notices/notice.tsx";
import { useNow } from "../../lib/browser/use-now.ts";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { Section } from "../../ui/section.tsx";
import { t } from "./words.ts";
import { ExportForm, sayMailed } from "./export-form.tsx";
import { ExportRow } from "./export-row.tsx";
import { isUnderWay } from "./backups-query.ts";

/** Workflows as files: the form that requests an export, and the exports made. */
export function ExportSection({ overview: { exports, canExport, canBackUp } }: { overview: BackupOverview }) {
  const { engine } = useFrontEndConfig();
  const nowMs = useNow(60_000);
  return (
    <Section title={t("exporting.take.title")} lead={sayMailed(t(`exporting.take.lead.${engine}`), false)}>
      {canExport ? (
        exports.some(({ state }) => isUnderWay(state)) ? null : (
          <>
            <Contents engine={engine} />
            <ExportForm />
          </>
        )
      ) : (
        <Notice tone="info" title={t(canBackUp ? "exporting.take.offline" : "exporting.take.none")} />
      )}
      {exports.length > 0 ? (
        <>
          <h3 className="mt-6 text-sm font-semibold first:mt-0">{t("exporting.take.recent")}</h3>
          <ul className="mt-2 divide-y divide-line rounded-lg border border-line">
            {exports.map((made) => (
              <ExportRow key={made.id} made={made} nowMs={nowMs} />
            ))}
          </ul>
        </>
      ) : null}
    </Section>
  );
}

/** What the file will contain, and what it will not. */
function Contents({ engine }: { engine: EngineName }) {
  const lines = [
    t(`exporting.take.contains.workflows.${engine}`),
    t("exporting.take.contains.instructions"),
    t("exporting.take.contains.credentials"),
  ];
  return (
    <div className="mb-5 text-sm">
      <h3 className="font-semibold">{t("exporting.take.contains.title")}</h3>
      <ul className="mt-2 space-y-1.5">
        {lines.map((line) => (
          <li key={line} className="flex gap-2.5">
            <Check className="mt-0.5 size-4 shrink-0 text-success" aria-hidden="true" />
            {line}
          </li>
        ))}
        <li className="flex gap-2.5 text-ink-soft">
          <Minus className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          {t("exporting.take.contains.not")}
        </li>
      </ul>
    </div>
  );
}
