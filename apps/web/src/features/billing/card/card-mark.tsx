/** Logos of card brands, drawn here: familiar shapes and colours in a card's outline. */
import type { ReactNode } from "react";
import { classNames } from "../../../ui/class-names.ts";
import type { PaymentInformation } from "../billing-queries.ts";

type CardBrand = PaymentInformation["brand"];

const letters = "font-bold italic [font-family:var(--font-sans)]";

const two = (left: string, right: string): ReactNode => (
  <>
    <circle cx="19" cy="16" r="8" fill={left} />
    <circle cx="29" cy="16" r="8" fill={right} fillOpacity="0.88" />
  </>
);

const word = (text: string, fill: string, size = 11): ReactNode => (
  <text x="24" y={16 + size * 0.36} textAnchor="middle" fontSize={size} fill={fill} className={letters}>
    {text}
  </text>
);

const marks: Record<CardBrand, { ground: string; drawing: ReactNode }> = {
  visa: { ground: "#ffffff", drawing: word("VISA", "#1a1f71", 13) },
  mastercard: { ground: "#ffffff", drawing: two("#eb001b", "#f79e1b") },
  maestro: { ground: "#ffffff", drawing: two("#0099df", "#ed0006") },
  amex: { ground: "#1f72cd", drawing: word("AMEX", "#ffffff") },
  discover: {
    ground: "#ffffff",
    drawing: (
      <>
        <path d="M20 32c12-1 22-6 28-14v10a4 4 0 0 1-4 4Z" fill="#f47216" />
        <text x="5" y="17" fontSize="8.5" fill="#231f20" className="font-bold">
          DISCOVER
        </text>
      </>
    ),
  },
  paypal: {
    ground: "#ffffff",
    drawing: (
      <>
        <path d="M19 7h8c4 0 6 2.5 5 6-1 4-4 6-8 6h-3l-1.2 6H14Z" fill="#003087" />
        <path d="M23 11h7c3.5 0 5 2.2 4.2 5.2-.9 3.5-3.5 5.2-7 5.2h-2.6L23.5 27H19Z" fill="#0070e0" fillOpacity="0.85" />
      </>
    ),
  },
  generic: {
    ground: "var(--color-sunken)",
    drawing: (
      <>
        <rect y="8" width="48" height="5.5" fill="var(--color-line-strong)" />
        <rect x="6" y="20" width="14" height="3" rx="1.5" fill="var(--color-line-strong)" />
      </>
    ),
  },
};

/** The brand of a card; the words beside it name it. */
export function CardMark({ brand, className }: { brand: CardBrand; className?: string }) {
  const { ground, drawing } = marks[brand];
  return (
    <svg viewBox="0 0 48 32" className={classNames("shrink-0 rounded-md", className ?? "h-8 w-12")} aria-hidden="true">
      <rect width="48" height="32" fill={ground} />
      {drawing}
      <rect x="0.5" y="0.5" width="47" height="31" rx="5.5" fill="none" stroke="var(--color-line)" />
    </svg>
  );
}
