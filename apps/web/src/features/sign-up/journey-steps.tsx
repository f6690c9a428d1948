import { Check } from "lucide-react";
import { classNames } from "../../ui/class-names.ts";
import { t } from "../../words/words.ts";

const stages = ["account", "email", "setup", "launch"] as const;

export type Stage = (typeof stages)[number];

/** Where somebody is on the way to their workspace. */
export function JourneySteps({ current, className }: { current: Stage | "arrived"; className?: string }) {
  const at = current === "arrived" ? stages.length : stages.indexOf(current);
  return (
    <ol aria-label={t("journey.label")} className={classNames("flex items-center gap-2 text-[0.8125rem]", className)}>
      {stages.map((stage, index) => (
        <li
          key={stage}
          aria-current={index === at ? "step" : undefined}
          className={classNames("flex items-center gap-2 not-last:flex-1", index === at ? "font-semibold text-ink" : "text-ink-soft")}
        >
          <span
            className={classNames(
              "grid size-5 shrink-0 place-items-center rounded-full text-[0.6875rem] font-semibold",
              index < at ? "bg-success text-surface" : index === at ? "bg-accent text-on-accent" : "border border-line-strong",
            )}
            aria-hidden="true"
          >
            {index < at ? <Check className="size-3" strokeWidth={3} /> : index + 1}
          </span>
          <span className={classNames(index !== at && "max-sm:sr-only")}>{t(`journey.${stage}`)}</span>
          {index < at ? <span className="sr-only">({t("journey.done")})</span> : null}
          {index < stages.length - 1 ? <span className="h-px min-w-3 flex-1 bg-line" aria-hidden="true" /> : null}
        </li>
      ))}
    </ol>
  );
}
