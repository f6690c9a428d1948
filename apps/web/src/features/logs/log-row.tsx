import { memo, useState } from "react";
import { dateFormat } from "../../lib/formats.ts";
import { classNames } from "../../ui/class-names.ts";
import type { LogLevel, LogLine } from "./log-lines.ts";
import { t } from "./words.ts";

const clock = dateFormat({ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const moment = dateFormat({ dateStyle: "medium", timeStyle: "long", hourCycle: "h23" });

const colours: Record<LogLevel, string> = {
  error: "text-danger",
  warn: "text-warning",
  info: "text-accent",
  debug: "text-ink-soft",
};

/** A screenful on a narrow phone: more of one line would hide the others. */
const mostShown = 2_000;

/** One line, drawn once. Text direction and control codes do not reach beyond it. */
export const LogRow = memo(function LogRow({ line: { at, level, text, isAfterGap } }: { line: LogLine }) {
  const [isWhole, setIsWhole] = useState(false);
  const isLong = text.length > mostShown && !isWhole;
  return (
    <>
      {isAfterGap ? (
        <div className="my-1 border-y border-dashed border-line-strong px-3 py-1 font-sans text-ink-soft">{t("logs.gap")}</div>
      ) : null}
      <div
        className={classNames(
          // Columns where there is room for them: time, level, text.
          "px-3 py-px whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:isolate] md:grid md:grid-cols-[4.5rem_4.5rem_minmax(0,1fr)]",
          level === "error" && "bg-danger-soft",
          level === "warn" && "bg-warning-soft",
        )}
      >
        {at ? (
          <time dateTime={at.toISOString()} title={moment.format(at)} className="text-ink-soft max-md:mr-2">
            {clock.format(at)}
          </time>
        ) : null}
        {level ? (
          <span className={classNames("font-semibold max-md:mr-2 md:col-start-2", colours[level])}>{t(`logs.names.${level}`)}</span>
        ) : null}
        <span className="md:col-start-3">
          {isLong ? `${text.slice(0, mostShown)}… ` : text.replace(/^\n+/, "")}
          {isLong ? (
            <button type="button" className="rounded-sm font-sans font-medium text-accent underline" onClick={() => setIsWhole(true)}>
              {t("logs.showAll")}
            </button>
          ) : null}
        </span>
      </div>
    </>
  );
});
