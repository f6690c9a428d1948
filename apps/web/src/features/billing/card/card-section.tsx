import { useQuery } from "@tanstack/react-query";
import { CreditCard } from "lucide-react";
import { useNow } from "../../../lib/browser/use-now.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { Notice } from "../../../ui/notices/notice.tsx";
import { t } from "../words.ts";
import { paymentInformationQuery, type PaymentInformation } from "../billing-queries.ts";
import { CardMark } from "./card-mark.tsx";
import { cardMonth } from "../dates.ts";
import { Section } from "../../../ui/section.tsx";
import { Loaded } from "../../../ui/notices/loaded.tsx";
import { useChangeCard } from "./use-change-card.ts";

/** The payment method, until when it is valid, and the way to change it. */
export function CardSection({ canChange }: { canChange: boolean }) {
  const query = useQuery(paymentInformationQuery);
  const change = useChangeCard();
  const action = canChange ? (
    <Button
      tone="plain"
      pending={change.pending}
      pendingText={t("billing.card.opening")}
      onClick={() => void change.run()}
      className="-my-1.5"
    >
      {t(query.data === null ? "billing.card.add" : "billing.card.change")}
    </Button>
  ) : null;
  return (
    <Section anchor="card" title={t("billing.card.title")} action={action}>
      {change.error ? <ErrorNotice error={change.error} title={t("billing.paymentInfoFailed")} className="mb-4" /> : null}
      <Loaded query={query} failed={t("billing.paymentInfoFailed")}>
        {(card) => (card ? <CardFacts card={card} /> : <NoCard />)}
      </Loaded>
    </Section>
  );
}

function NoCard() {
  return (
    <p className="flex items-center gap-3 text-sm text-ink-soft">
      <CreditCard className="size-5 shrink-0" aria-hidden="true" />
      {t("billing.card.noneText")}
    </p>
  );
}

/** Two months ahead: two monthly payments on which to notice it. */
const soonMs = 60 * 86_400_000;

function CardFacts({ card }: { card: PaymentInformation }) {
  const { brand, lastFour, expiryMonth, expiryYear, expired } = card;
  const nowMs = useNow(3_600_000);
  const month = expiryMonth !== null && expiryYear !== null ? { expiryMonth, expiryYear } : null;
  const expiresSoon = month !== null && !expired && Date.UTC(month.expiryYear, month.expiryMonth) - nowMs < soonMs;
  const name = t(`billing.card.brands.${brand}`);
  return (
    <>
      <div className="flex items-center gap-4">
        <CardMark brand={brand} />
        <div className="text-sm">
          <p className="font-medium">
            <span className="sr-only">{lastFour ? t("billing.card.lastFourSaid", { brand: name, lastFour }) : name}</span>
            <span aria-hidden="true">{lastFour ? `${name} ${t("billing.card.lastFour", { lastFour })}` : name}</span>
          </p>
          {month ? (
            <p className="text-ink-soft tabular-nums">
              {t("billing.card.expires", { date: cardMonth(month.expiryMonth, month.expiryYear) })}
            </p>
          ) : null}
        </div>
      </div>
      {expired || expiresSoon ? (
        <Notice tone="warning" title={t(expired ? "billing.card.expired" : "billing.card.expiresSoon")} className="mt-4">
          {t("billing.card.expiredText")}
        </Notice>
      ) : null}
    </>
  );
}
