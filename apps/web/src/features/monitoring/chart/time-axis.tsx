import type { MonitoringMark } from "#contract/workspaces/monitoring/monitoring.ts";
import { dateFormat } from "../../../lib/formats.ts";
import { said } from "../../../words/sentences.ts";
import { markLooks } from "./mark-list.tsx";
import { alongAxis, clusters, type TimeSpan } from "./plot.ts";
import { t } from "../words.ts";

const clock = dateFormat({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const day = dateFormat({ day: "numeric", month: "short" });
const moment = dateFormat({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const ticks = [0, 0.25, 0.5, 0.75, 1];

/** Closer than this, two signs would overlap: a phone has space for about twenty. */
const signShare = 0.045;

/** The lane of marks below charts, and the times of their axis. Only visual, because a list says the same. */
export function TimeAxis({ fromMs, toMs, marks }: TimeSpan & { marks: readonly MonitoringMark[] }) {
  const wordsOf = ({ at, kind, message }: MonitoringMark) =>
    `${moment.format(new Date(at))} · ${message === null ? t(`monitoring.marks.kinds.${kind}`) : said(message)}`;
  return (
    <div aria-hidden="true">
      <div className="relative mt-1.5 h-7 rounded-md bg-sunken">
        {clusters(marks, (mark) => alongAxis({ fromMs, toMs }, Date.parse(mark.at)), signShare).map(({ at, items }) => {
          // An unexpected stop is never hidden behind others.
          const shown = items.find(({ kind }) => kind === "stop") ?? items.at(-1)!;
          const { icon: Icon, colour } = markLooks[shown.kind];
          return (
            <span
              key={`${shown.at} ${shown.kind} ${shown.message}`}
              title={items.map(wordsOf).join("\n")}
              className={`absolute top-1.5 flex -translate-x-1/2 items-center ${colour}`}
              style={{ left: `clamp(0.75rem, ${at * 100}%, calc(100% - 0.75rem))` }}
            >
              <Icon className="size-4 shrink-0" />
              {items.length > 1 ? <span className="ml-px text-[0.6875rem] font-semibold tabular-nums">{items.length}</span> : null}
            </span>
          );
        })}
      </div>
      <div className="mt-1 flex justify-between text-xs text-ink-soft tabular-nums">
        {ticks.map((tick) => (
          <span key={tick} className={tick === 0 || tick === 0.5 || tick === 1 ? undefined : "max-sm:hidden"}>
            {(toMs - fromMs > 2 * 86_400_000 ? day : clock).format(new Date(fromMs + tick * (toMs - fromMs)))}
          </span>
        ))}
      </div>
    </div>
  );
}
