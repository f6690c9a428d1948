import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useId } from "react";
import type { ChangePreview } from "#contract/billing/billing.ts";
import type { Plan } from "#contract/billing/plans/plan.ts";
import { paymentInformationQuery } from "../../../features/billing/billing-queries.ts";
import { cardText } from "../../../features/billing/card/card-text.ts";
import { dayOf } from "../../../features/billing/dates.ts";
import { formatMoney, formatCharge } from "../../../features/billing/format-price.ts";
import { PriceLines } from "../../../features/billing/price-lines.tsx";
import type { Timing } from "../../../features/plans/use-change-preview.ts";
import { classNames } from "../../../ui/class-names.ts";
import { Notice } from "../../../ui/notices/notice.tsx";
import { t } from "../../../features/billing/words.ts";
import { said } from "../../../words/sentences.ts";

interface ChangeSummaryProps {
  preview: ChangePreview;
  unit: Plan["billing_period"]["unit"];
  /** Another billing period can only begin when the paid one has ended. */
  canBeNow: boolean;
  isFetching: boolean;
  onTiming: (timing: Timing) => void;
}

/** When it happens, what it costs now and later, what stops working, and whether the workspace restarts. */
export function ChangeSummary({ preview, unit, canBeNow, isFetching, onTiming }: ChangeSummaryProps) {
  const { data: card } = useQuery(paymentInformationQuery);
  const { direction, timing, lines, tax, dueNow, creditAfter, nextRenewal, stopsWorking } = preview;
  return (
    <div aria-busy={isFetching} className={classNames("divide-y divide-line", isFetching && "opacity-60")}>
      {direction === "downgrade" || timing === "period-end" ? (
        <TimingChoice preview={preview} canBeNow={canBeNow} onTiming={onTiming} />
      ) : null}
      {stopsWorking.length > 0 ? (
        <div className="p-5 sm:px-6">
          <Notice tone="warning" title={t("plans.confirm.stops")}>
            <ul className="list-disc space-y-1 pl-4">
              {stopsWorking.map((what) => (
                <li key={what}>{said(what)}</li>
              ))}
            </ul>
          </Notice>
        </div>
      ) : null}
      {lines.length > 0 ? (
        <div className="px-5 pt-4 pb-2 sm:px-6">
          <h2 className="font-semibold">{t("plans.confirm.lines")}</h2>
          <PriceLines lines={lines} tax={tax} />
        </div>
      ) : null}
      <dl className="space-y-3 p-5 sm:px-6">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <dt className="font-semibold">{t("plans.confirm.dueNow")}</dt>
          <dd className="text-2xl font-semibold tabular-nums">{formatCharge(dueNow)}</dd>
        </div>
        {card ? (
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
            <dt>{t("billing.charge.card")}</dt>
            <dd>{cardText(card)}</dd>
          </div>
        ) : null}
        {creditAfter.amount > 0 ? (
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
            <dt>{t("plans.confirm.credit")}</dt>
            <dd className="text-success tabular-nums">{formatMoney(creditAfter)}</dd>
          </div>
        ) : null}
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
          <dt>{t("plans.confirm.fromThenOn")}</dt>
          <dd className="tabular-nums">
            {t("plans.confirm.renewal", {
              amount: formatCharge(nextRenewal.amount),
              date: dayOf(nextRenewal.at),
              each: t(`plans.confirm.each.${unit}`),
            })}
          </dd>
        </div>
      </dl>
      <p className="flex gap-2.5 p-5 text-sm text-ink-soft sm:px-6">
        <RotateCw className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
        {t(preview.restarts ? (timing === "now" ? "plans.confirm.restarts" : "plans.confirm.restartsLater") : "plans.confirm.noRestart")}
      </p>
    </div>
  );
}

/** A change that would credit money waits for the end of the paid period; customers who want it sooner get nothing back. */
function TimingChoice({
  preview: { timing, effectiveAt, nextRenewal },
  canBeNow,
  onTiming,
}: Pick<ChangeSummaryProps, "preview" | "canBeNow" | "onTiming">) {
  const name = useId();
  // A downgrade now: the end of the period is the next renewal. A later one: it is when the change happens.
  const end = timing === "period-end" ? effectiveAt : nextRenewal.at;
  const choices = [
    { value: "period-end", label: t("plans.confirm.atEnd"), text: t("plans.confirm.atEndText", { date: dayOf(end) }) },
    ...(canBeNow ? [{ value: "now", label: t("plans.confirm.now"), text: t("plans.confirm.nowText") } as const] : []),
  ] as const;
  return (
    <fieldset className="p-5 sm:px-6">
      <legend className="float-left mb-3 w-full font-semibold">{t("plans.confirm.when")}</legend>
      <div className="clear-both grid gap-3 sm:grid-cols-2">
        {choices.map(({ value, label, text }) => (
          <label
            key={value}
            htmlFor={`${name}-${value}`}
            className={classNames(
              "grid cursor-pointer grid-cols-[auto_1fr] content-start gap-x-3 rounded-lg border p-3 text-sm has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
              timing === value ? "border-accent bg-accent-soft" : "border-line-strong hover:bg-sunken",
            )}
          >
            <input
              id={`${name}-${value}`}
              type="radio"
              name={name}
              checked={timing === value}
              onChange={() => onTiming(value)}
              className="row-span-2 mt-1 self-start accent-(--color-accent)"
            />
            <span className="font-medium">{label}</span>
            <span className="text-ink-soft">{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
