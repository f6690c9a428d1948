import { Slider } from "@base-ui/react/slider";
import { useState } from "react";
import { TextField } from "../../../ui/form/text-field.tsx";
import { t } from "../../billing/words.ts";
import { readNumber, toStep, type QuotaBounds, type QuotaName, type QuotaProblem } from "./custom-quotas.ts";
import { extraPrice } from "./quota-words.ts";
import { number } from "../../../lib/formats.ts";

interface QuotaFieldProps {
  name: QuotaName;
  bounds: QuotaBounds;
  currency: string;
  text: string;
  problem: QuotaProblem | null;
  /** Before a first submission, a problem is shown only after the field has lost the focus. */
  isSubmitted: boolean;
  onChange: (text: string) => void;
}

/** One quota as a number and as a slider, which are kept in sync. */
export function QuotaField({ name, bounds, currency, text, problem, isSubmitted, onChange }: QuotaFieldProps) {
  const [isLeft, setIsLeft] = useState(false);
  const { min, max, step } = bounds;
  const value = readNumber(text);
  const leave = () => {
    setIsLeft(true);
    // Sold in steps: a value in between is rounded up.
    if (value !== null && problem === null) onChange(number.format(toStep(value, bounds)));
  };
  return (
    <div className="grid gap-x-6 gap-y-4 p-5 sm:grid-cols-[12rem_minmax(0,1fr)] sm:px-6">
      <TextField
        name={name}
        label={t(`plans.quota.${name}`)}
        value={text}
        inputMode="numeric"
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        onBlur={leave}
        error={problem && (isLeft || isSubmitted) ? problemWords(name, problem, bounds) : undefined}
      />
      <div className="sm:pt-8">
        <Slider.Root
          min={min}
          max={max}
          step={step}
          value={Math.min(max, Math.max(min, value ?? min))}
          onValueChange={(next) => onChange(number.format(next))}
        >
          <Slider.Control className="flex h-10 w-full touch-none items-center select-none">
            <Slider.Track className="h-2 w-full rounded-full bg-line-strong/40">
              <Slider.Indicator className="rounded-full bg-accent" />
              <Slider.Thumb
                aria-label={t("plans.quota.sliderOf", { name: t(`plans.quota.${name}`) })}
                getAriaValueText={(formatted, raw) => (Number.isFinite(raw) ? number.format(raw) : formatted)}
                className="size-5 rounded-full border-2 border-accent bg-surface shadow-card has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
              />
            </Slider.Track>
          </Slider.Control>
        </Slider.Root>
        <p className="flex justify-between gap-4 text-[0.8125rem] text-ink-soft tabular-nums" aria-hidden="true">
          <span>{number.format(min)}</span>
          <span>{number.format(max)}</span>
        </p>
        <p className="mt-1 text-[0.8125rem] text-ink-soft">
          {t("plans.quota.included", { count: number.format(bounds.included) })}, {extraPrice(name, bounds, currency)}
        </p>
      </div>
    </div>
  );
}

const problemWords = (name: QuotaName, problem: QuotaProblem, { min, max }: QuotaBounds): string =>
  t(`plans.quota.${name}Problem.${problem}`, { limit: number.format(problem === "tooFew" ? min : max) });
