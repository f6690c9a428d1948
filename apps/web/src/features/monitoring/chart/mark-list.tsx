import { CircleAlert, DatabaseBackup, GitBranch, RotateCw, type LucideIcon } from "lucide-react";
import type { MonitoringMark } from "#contract/workspaces/monitoring/monitoring.ts";
import { moment } from "../../../lib/formats.ts";
import { t } from "../words.ts";
import { said } from "../../../words/sentences.ts";

/** The sign and the colour of each kind, on the axis and in the list. */
export const markLooks: Record<MonitoringMark["kind"], { icon: LucideIcon; colour: string }> = {
  stop: { icon: CircleAlert, colour: "text-danger" },
  restart: { icon: RotateCw, colour: "text-accent" },
  version: { icon: GitBranch, colour: "text-success" },
  backup: { icon: DatabaseBackup, colour: "text-ink-soft" },
};

/** More would push the following sections off the screen; crashes and backups have their own lists. */
const mostShown = 8;

/** What the marks on the axis mean, newest first. */
export function MarkList({ marks }: { marks: readonly MonitoringMark[] }) {
  const hidden = marks.length - mostShown;
  return (
    <div className="mt-5">
      <h3 className="text-sm font-semibold">{t("monitoring.marks.title")}</h3>
      {marks.length === 0 ? (
        <p className="mt-1 text-sm text-ink-soft">{t("monitoring.marks.empty")}</p>
      ) : (
        <ul className="mt-2 space-y-1.5 text-sm">
          {marks
            .toReversed()
            .slice(0, mostShown)
            .map(({ at, kind, message }) => {
              const { icon: Icon, colour } = markLooks[kind];
              return (
                <li key={`${at} ${kind} ${message}`} className="flex gap-2.5">
                  <Icon className={`mt-0.5 size-4 shrink-0 ${colour}`} aria-hidden="true" />
                  <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                    {kind === "stop" ? <span className="sr-only">{t("monitoring.marks.kinds.stop")}: </span> : null}
                    {message === null ? t(`monitoring.marks.kinds.${kind}`) : said(message)}
                    <time dateTime={at} className="ml-2 whitespace-nowrap text-[0.8125rem] text-ink-soft">
                      {moment.format(new Date(at))}
                    </time>
                  </span>
                </li>
              );
            })}
        </ul>
      )}
      {hidden > 0 ? <p className="mt-1.5 text-[0.8125rem] text-ink-soft">{t("monitoring.marks.more", { count: hidden })}</p> : null}
    </div>
  );
}
