import { ChevronRight } from "lucide-react";
import type { Backup } from "#contract/workspaces/backup.ts";
import { number } from "../../../lib/formats.ts";
import { TimeText } from "../../../ui/marks/time-text.tsx";
import { t } from "../words.ts";
import { momentText, sizeText } from "../size-text.ts";

/** What is in a successful backup, when it was verified and how long it is kept. */
export function BackupContents({ backup }: { backup: Backup }) {
  const { workflows, credentials, executions, versionName, size, createdAt, finishedAt, verifiedAt, keptUntil } = backup;
  const seconds = finishedAt ? Math.max(1, Math.round((Date.parse(finishedAt) - Date.parse(createdAt)) / 1000)) : null;
  const counted = (count: number | null) => (count === null ? null : number.format(count));
  const facts: [name: string, value: string | null, at?: string | null][] = [
    [t("exporting.contents.workflows"), counted(workflows)],
    [t("exporting.contents.credentials"), counted(credentials)],
    [t("exporting.contents.executions"), counted(executions)],
    [t("exporting.contents.version"), versionName],
    [t("exporting.contents.size"), size === null ? null : sizeText(size)],
    [t("exporting.contents.took"), seconds === null ? null : t("exporting.contents.seconds", { count: seconds })],
    [t("exporting.contents.verified"), verifiedAt && momentText(verifiedAt), verifiedAt],
    [t("exporting.contents.keptUntil"), keptUntil && momentText(keptUntil), keptUntil],
  ];
  return (
    <details className="group w-full text-sm">
      <summary
        aria-label={t("exporting.contents.of", { time: momentText(createdAt) })}
        className="flex min-h-6 w-fit cursor-pointer list-none items-center gap-1 rounded-sm text-ink-soft hover:text-ink"
      >
        {t("exporting.contents.button")}
        <ChevronRight className="size-3.5 shrink-0 transition-transform group-open:rotate-90" aria-hidden="true" />
      </summary>
      <dl className="mt-2 grid grid-cols-2 gap-x-3 gap-y-2 rounded-lg bg-sunken px-3 py-3 sm:grid-cols-4 sm:gap-x-6 sm:px-4">
        {facts.map(([name, value, at]) =>
          value === null ? null : (
            <div key={name}>
              <dt className="text-[0.8125rem] text-ink-soft">{name}</dt>
              <dd className="font-medium">{at ? <TimeText at={at}>{value}</TimeText> : value}</dd>
            </div>
          ),
        )}
      </dl>
      <p className="mt-2 text-[0.8125rem] text-ink-soft">{t("exporting.contents.also")}</p>
    </details>
  );
}
