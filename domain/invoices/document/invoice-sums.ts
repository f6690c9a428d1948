/**
 * How an invoice adds up: lines and tax to its total, and the total to what was paid, what came from credit,
 * and what is open. In minor units.
 */
import type { InvoiceDocument } from "./invoice-document.ts";

interface InvoiceSums {
  /** All lines; includes tax if their prices do. */
  lines: number;
  /** Tax on top of the lines; zero if they include it. */
  added: number;
  /** Any other deduction (below zero) or addition by the provider: a discount, or rounding. */
  otherwise: number;
  total: number;
  fromCredit: number;
  /** What cards were charged, including amounts refunded since. */
  received: number;
  /** Still to be paid. */
  open: number;
  /** Paid neither by card nor from credit, such as by bank transfer. */
  paidOtherwise: number;
}

/** `received`: what cards were charged. A void document owes nothing, and a correction needs no payment. */
export function sumsOf(
  document: Pick<InvoiceDocument, "kind" | "lines" | "tax" | "total" | "creditUsed">,
  status: "paid" | "open" | "void" | "refunded" | "disputed",
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

/** Old documents do not record it; for them it is the part that no card was charged. */
const creditUsed = ({ creditUsed: used, total }: Pick<InvoiceDocument, "creditUsed" | "total">, received: number): number =>
  Math.max(0, used?.amount ?? (received > 0 ? total.amount - received : 0));
