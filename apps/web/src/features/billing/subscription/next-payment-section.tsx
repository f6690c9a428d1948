import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import type { Subscription } from "#contract/billing/billing.ts";
import { t } from "../words.ts";
import { nextPaymentQuery, type NextPayment } from "../billing-queries.ts";
import { dayOf } from "../dates.ts";
import { PriceLines } from "../price-lines.tsx";
import { Section } from "../../../ui/section.tsx";
import { Loaded } from "../../../ui/notices/loaded.tsx";
import { formatMoney } from "../format-price.ts";

/** The next payment: what for, when and how much. */
export function NextPaymentSection({ subscription }: { subscription: Subscription }) {
  const query = useQuery(nextPaymentQuery);
  return (
    <Section title={t("billing.next.title")}>
      <Loaded query={query} failed={t("billing.next.failed")} lines={3}>
        {(next) =>
          next ? (
            <Facts next={next} credit={subscription.credit} />
          ) : (
            <p className="text-sm text-ink-soft">{t(subscription.cancelAt ? "billing.next.noneCancelled" : "billing.next.none")}</p>
          )
        }
      </Loaded>
    </Section>
  );
}

function Facts({ next, credit }: { next: NextPayment; credit: Subscription["credit"] }) {
  return (
    <>
      <p className="text-2xl font-semibold tabular-nums">{formatMoney(next.amount)}</p>
      <p className="text-sm text-ink-soft">
        {t("billing.next.on", { date: dayOf(next.at) })}
        {next.tax.amount > 0 ? `, ${t("billing.next.tax", { amount: formatMoney(next.tax) })}` : null}
      </p>
      {credit && credit.amount > 0 ? (
        <p className="mt-1 text-sm text-success">{t("billing.next.credit", { amount: formatMoney(credit) })}</p>
      ) : null}
      {next.lines.length > 0 ? (
        <details className="group mt-3">
          <summary className="flex w-fit cursor-pointer list-none items-center gap-1 rounded-sm text-sm font-medium text-accent">
            <ChevronDown className="size-4 -rotate-90 transition-transform group-open:rotate-0" aria-hidden="true" />
            {t("billing.next.lines")}
          </summary>
          <PriceLines
            lines={next.lines}
            tax={null}
            {...(next.tax.amount > 0 ? { taxSum: { amount: next.tax, isInside: isTaxInside(next) } } : {})}
          />
        </details>
      ) : null}
    </>
  );
}

/** Lines that add up to the whole sum include their tax; otherwise the difference is the tax. */
const isTaxInside = ({ lines, amount }: NextPayment): boolean => lines.reduce((sum, line) => sum + line.amount.amount, 0) === amount.amount;
