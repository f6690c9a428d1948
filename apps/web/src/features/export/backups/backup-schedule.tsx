import type { ReactNode } from "react";
import type { BackupOverview } from "#contract/workspaces/backup.ts";
import { ago, fromNow } from "../../../lib/ago.ts";
import { Card } from "../../../ui/card.tsx";
import { TimeText } from "../../../ui/marks/time-text.tsx";
import { t } from "../words.ts";
import { dayText, momentText } from "../size-text.ts";

/** When the next backup runs, when the newest was made, and how long they are kept. */
export function BackupSchedule({ overview: { backups, nextNightlyAt, keptDays }, nowMs }: { overview: BackupOverview; nowMs: number }) {
  const newest = backups.find(({ state }) => state === "successful");
  return (
    <Card label={t("exporting.schedule.title")}>
      <dl className="grid gap-x-6 gap-y-4 px-5 py-5 sm:grid-cols-3 sm:px-6">
        <Fact
          name={t("exporting.schedule.next")}
          note={nextNightlyAt ? t("exporting.schedule.nightly", { time: momentText(nextNightlyAt) }) : t("exporting.schedule.pausedNote")}
        >
          {nextNightlyAt ? (
            <TimeText at={nextNightlyAt}>{fromNow(new Date(nextNightlyAt), nowMs)}</TimeText>
          ) : (
            t("exporting.schedule.paused")
          )}
        </Fact>
        <Fact name={t("exporting.schedule.last")} note={newest ? t(`exporting.backups.kind.${newest.kind}`) : undefined}>
          {newest ? (
            <TimeText at={newest.createdAt}>{ago(new Date(newest.createdAt), nowMs) ?? dayText(newest.createdAt)}</TimeText>
          ) : (
            t("exporting.schedule.none")
          )}
        </Fact>
        <Fact name={t("exporting.schedule.kept")} note={t("exporting.schedule.keptNote")}>
          {t("exporting.schedule.days", { count: keptDays })}
        </Fact>
      </dl>
      <p className="rounded-b-xl border-t border-line bg-sunken px-5 py-3 text-[0.8125rem] text-ink-soft sm:px-6">
        {t("exporting.schedule.verified")}
      </p>
    </Card>
  );
}

const Fact = ({ name, note, children }: { name: string; note: string | undefined; children: ReactNode }) => (
  <div>
    <dt className="text-sm text-ink-soft">{name}</dt>
    <dd className="mt-0.5 text-lg font-semibold">{children}</dd>
    {note ? <dd className="text-[0.8125rem] text-ink-soft">{note}</dd> : null}
  </div>
);
