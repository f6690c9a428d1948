/** How an invoice adds up: its lines and its tax to its total, and the total to what was paid, what came from credit, and what is open. Minor units. */
import type { InvoiceDocument } from "./invoice-document.ts";

export interface InvoiceSums {
  /** All lines, with tax where they include it. */
  lines: number;
  /** Tax on top of the lines; none where they include it. */
  added: number;
  /** What else the provider took off (below zero) or added: a discount, or the rounding of a part of a minor unit. */
  otherwise: number;
  total: number;
  fromCredit: number;
  /** What cards were charged, whether or not it was given back since. */
  received: number;
  /** Still to be paid. */
  open: number;
  /** Paid neither by card nor from credit, such as by bank transfer. */
  paidOtherwise: number;
}

/** `received`: what cards were charged. What is void owes nothing, and a correction is paid by nobody. */
export function sumsOf(
  document: Pick<InvoiceDocument, "kind" | "lines" | "tax" | "total" | "creditUsed">,
  status: "paid" | "open" | "void" | "refunded",
  received: number,
): InvoiceSums {
  const total = document.total.amount;
  const lines = document.lines.reduce((sum, { amount }) => sum + amount.amount, 0);
  const added = document.tax && !document.tax.inclusive ? document.tax.amount.amount : 0;
  const isCharged = document.kind === "invoice" && total > 0;
  const fromCredit = isCharged ? creditUsed(document, received) : 0;
  const rest = isCharged && status !== "void" ? total - fromCredit - received : 0;
  return {
    lines,
    added,
    otherwise: total - lines - added,
    total,
    fromCredit,
    received,
    open: status === "open" ? rest : 0,
    paidOtherwise: status === "open" ? 0 : rest,
  };
}

/** Documents of former times do not say it: there it is what no card was charged. */
const creditUsed = ({ creditUsed: used, total }: Pick<InvoiceDocument, "creditUsed" | "total">, received: number): number =>
  Math.max(0, used?.amount ?? (received > 0 ? total.amount - received : 0));
