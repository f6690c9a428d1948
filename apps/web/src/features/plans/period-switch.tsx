import { useId } from "react";
import { classNames } from "../../ui/class-names.ts";
import { t } from "../billing/words.ts";
import type { Period } from "./shown-plans.ts";

interface PeriodSwitchProps {
  value: Period;
  onChange: (period: Period) => void;
  /** The minimum saving of yearly payment; 0 shows nothing. */
  discount: { percent: number; isSameForAll: boolean };
}

const periods: readonly Period[] = ["monthly", "yearly"];

/** Monthly or yearly, as two radio buttons that look like a switch. */
export function PeriodSwitch({ value, onChange, discount: { percent, isSameForAll } }: PeriodSwitchProps) {
  const name = useId();
  return (
    <fieldset className="flex rounded-full border border-line-strong bg-surface p-1">
      <legend className="sr-only">{t("plans.period")}</legend>
      {periods.map((period) => (
        <label
          key={period}
          className={classNames(
            "flex min-h-9 cursor-pointer items-center gap-2 rounded-full px-4 text-sm font-semibold select-none has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
            value === period ? "bg-accent text-on-accent" : "text-ink-soft hover:text-ink",
          )}
        >
          <input type="radio" name={name} checked={value === period} onChange={() => onChange(period)} className="sr-only" />
          {t(`plans.${period}`)}
          {period === "yearly" && percent > 0 ? (
            <span
              className={classNames(
                "rounded-full px-2 py-0.5 text-xs",
                value === period ? "bg-on-accent/15" : "bg-success-soft text-success",
              )}
            >
              {t(isSameForAll ? "plans.percent" : "plans.percentUpTo", { percent })}
            </span>
          ) : null}
        </label>
      ))}
    </fieldset>
  );
}
