/** Every printed document adds up, whatever is sold, in any currency, and whatever becomes of it. */
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { digitsOf } from "#contract/billing/money/currency-digits.ts";
import type { ProviderInvoice, ProviderLine } from "#payments/payment-provider.ts";
import { after, dayMs } from "#platform/clock.ts";
import { seededChoices, type SeededChoices } from "#platform/seeded-random.ts";
import { pdfText } from "#testing/content/pdf-text.ts";
import { testSeller } from "#testing/payments/test-seller.ts";
import { openTestBilling, subscribe } from "#testing/payments/test-billing.ts";
import { copyInvoices } from "./issuing/copy-invoices.ts";
import { drawInvoice } from "./document/draw-invoice.ts";
import type { InvoiceDocument } from "./document/invoice-document.ts";
import { listInvoices, listPayments } from "./invoice-store.ts";
import { readStanding } from "./read-standing.ts";

const seed = 20261122;
const currencies = ["USD", "EUR", "HUF", "JPY", "ISK", "KRW", "KWD", "TND"];
const at = new Date("2027-01-10T09:00:00Z");

interface Life {
  /** As the provider first reports it: open. */
  open: ProviderInvoice;
  /** What became of it: paid, partly refunded or fully refunded, void, or still open. */
  end: ProviderInvoice;
  /** Weeks later: some of its refunds failed, and some of those were made again. */
  late: ProviderInvoice;
}

/** An invoice with lines, prorations, a discount, tax inside or on top, credit, and payments; occasionally below zero. */
function randomLife(random: SeededChoices, index: number, subscriptionId: string): Life {
  const currency = currencies[index % currencies.length]!;
  const money = (amount: number) => ({ amount, currency });
  const line = (label: string, amount: number): ProviderLine => ({ label, quantity: 1, amount: money(amount), isProration: amount < 0 });
  const most = random.pick([9, 999, 99_999, 5_000_000]);
  const lines = [
    line("Pro", 1 + random.below(most)),
    ...(random.percent(60) ? [line("Unused time", -random.below(most))] : []),
    ...(random.percent(40) ? [line("1,000 executions", random.below(most))] : []),
  ];
  const sold = lines.reduce((sum, { amount }) => sum + amount.amount, 0);
  const discount = random.percent(30) && sold > 10 ? random.below(Math.floor(sold / 2)) : 0;
  const net = sold - discount;
  const rate = random.pick([0, 7, 8.1, 19, 25.5]);
  const inclusive = random.percent(50);
  const taxAmount = Math.round((net * rate) / (inclusive ? 100 + rate : 100)) + 0;
  const total = net + (inclusive ? 0 : taxAmount);
  const creditUsed = total > 0 && random.percent(40) ? random.below(total + 1) : 0;
  const due = Math.max(0, total - creditUsed);
  const issuedAt = after(at, index * dayMs);
  const base = {
    id: `in_${index}`,
    subscriptionId,
    number: null,
    issuedAt,
    takenBack: null,
    lines,
    tax: rate === 0 ? null : { name: "VAT", ratePercent: rate, amount: money(taxAmount), inclusive },
    total: money(total),
    creditUsed: money(creditUsed),
    buyer: null,
  };
  const open: ProviderInvoice = { ...base, status: "open", payments: [] };
  const fate = total < 0 ? "paid" : random.pick(["open", "void", "paid", "paid", "refunded", "partly"] as const);
  if (fate === "open" || fate === "void") return { open, end: { ...open, status: fate }, late: { ...open, status: fate } };
  const isGiven = fate === "refunded" && due > 0;
  const payments =
    due > 0
      ? [
          {
            id: `py_${index}`,
            at: issuedAt,
            amount: money(due),
            status: isGiven ? ("refunded" as const) : ("succeeded" as const),
            card: null,
            reason: null,
          },
        ]
      : [];
  const parts =
    fate === "partly" && due > 2 ? [1 + random.below(Math.floor(due / 2)), 1 + random.below(Math.floor(due / 2))] : isGiven ? [due] : [];
  const refunds = parts.map((amount, part) => ({
    id: `re_${index}_${part}`,
    at: after(issuedAt, (part + 1) * dayMs),
    amount: money(amount),
  }));
  const end: ProviderInvoice = { ...open, status: isGiven ? "refunded" : "paid", payments, refunds };
  const failed = refunds.filter(() => random.percent(70));
  const again = failed
    .filter(() => random.percent(60))
    .map((refund) => ({ ...refund, id: `${refund.id}${madeAgain}`, at: after(refund.at, 9 * dayMs) }));
  const isBack = isGiven && failed.length > again.length;
  const stands = {
    ...end,
    ...(isBack && { status: "paid" as const, payments: payments.map((payment) => ({ ...payment, status: "succeeded" as const })) }),
  };
  return {
    open,
    end,
    late: {
      ...stands,
      refunds: [...refunds.filter((refund) => !failed.includes(refund)), ...again],
      failedRefunds: failed.map(({ id }) => id),
    },
  };
}

const madeAgain = "_again";
const isMadeAgain = ({ id }: { id: string }): boolean => id.endsWith(madeAgain);

/** `€1,234.50` as minor units of the currency. */
const readAmount = (text: string, currency: string): number => {
  const digits = digitsOf(currency);
  const [, whole = "", part = ""] = /^[^\d]*([\d,]+)(?:\.(\d+))?$/.exec(text)!;
  expect(part).toHaveLength(digits);
  return (text.startsWith("-") ? -1 : 1) * Number(whole.replaceAll(",", "") + part) + 0;
};

test(`lines and tax are the total, and the total is what was paid, what came from credit and what is open: as printed for 24, as kept for 56 random invoices (seed ${seed})`, async () => {
  const world = await openTestBilling();
  const accountId = await subscribe(world);
  const [subscription] = world.provider.subscriptions.values();
  const random = seededChoices(seed);
  const lives = Array.from({ length: 56 }, (_, index) => randomLife(random, index, subscription!.id)).filter(
    ({ end }) => end.total.amount !== 0,
  );
  const copy = (list: ProviderInvoice[]) =>
    copyInvoices(
      {
        db: world.database.db,
        clock: world.clock,
        provider: { ...world.provider, listInvoices: () => Promise.resolve(list) },
        seller: testSeller,
      },
      accountId,
    );
  await copy(lives.map(({ open }) => open));
  // Refunds may complete in a different order from how they were made.
  await copy(lives.map(({ end }) => ({ ...end, refunds: end.refunds?.slice(1) ?? [] })));
  await copy(lives.map(({ end }) => end));
  await copy(lives.map(({ end }) => end));
  // A failure and the replacement refund are reported one after the other, or together.
  await copy(
    lives.map(({ late }, index) =>
      index % 2 === 0 ? late : { ...late, refunds: late.refunds?.filter((refund) => !isMadeAgain(refund)) ?? [] },
    ),
  );
  await copy(lives.map(({ late }) => late));
  await copy(lives.map(({ late }) => late));

  const rows = await listInvoices(world.database.db, accountId);
  const payments = await listPayments(world.database.db, accountId);
  // Drawing takes a tenth of a second each, so only three per currency are drawn, with their credit notes.
  const invoiceOf = (row: (typeof rows)[number]): typeof row =>
    row.corrects ? invoiceOf(rows.find(({ id }) => id === row.corrects)!) : row;
  const isPrinted = (row: (typeof rows)[number]): boolean =>
    lives.findIndex(({ end }) => end.id === invoiceOf(row).providerInvoiceId) < 3 * currencies.length;
  for (const row of rows.filter(isPrinted)) {
    const { currency, document } = row;
    const standing = await readStanding(world.database.db, row);
    const texts = pdfText(await buffer(drawInvoice(document as InvoiceDocument, standing)))
      .split("\n")
      .map((text) => text.replaceAll("\u00a0", " "));
    // "Paid" also appears in the header.
    const sums = texts.lastIndexOf("Amount");
    const amounts = (label: RegExp) =>
      texts.flatMap((text, index) =>
        index > Math.max(sums, texts.lastIndexOf("Amount (tax included)")) && label.test(text)
          ? [readAmount(texts[index + 1]!, currency)]
          : [],
      );
    const sum = (label: RegExp) => amounts(label).reduce((total, amount) => total + amount, 0);
    // A line is drawn as quantity, amount, label; the label may also be the invoice's subject.
    const lines = (document as InvoiceDocument).lines.map(({ label }) => readAmount(texts[texts.lastIndexOf(label) - 1]!, currency));
    const tax = sum(/^VAT [\d.]+ %$/);
    const [total] = amounts(/^Total$/);
    const what = JSON.stringify(row);
    expect(lines.reduce((all, amount) => all + amount, 0) + sum(/^(Discount|Rounding)$/) + tax, what).toBe(total);
    // The taxable amount and the tax add up to the total, wherever the taxable amount is printed.
    for (const net of amounts(/^Net of tax$/)) expect(net + tax + sum(/^including VAT/), what).toBe(total);
    if ((document as InvoiceDocument).kind !== "invoice" || row.status === "void") expect(amounts(/^Amount due$/), what).toEqual([]);
    else expect(total! + sum(/^(Paid|Paid from your credit|Paid by other means)$/), what).toBe(amounts(/^Amount due$/)[0]);
  }

  for (const { late: end } of lives) {
    const invoice = rows.find(({ providerInvoiceId }) => providerInvoiceId === end.id)!;
    const corrections = rows.filter((row) => row !== invoice && invoiceOf(row) === invoice);
    const documents = [invoice, ...corrections].reduce((sum, { total }) => sum + total, 0);
    const charged = payments.filter(({ invoiceId }) => invoiceId === invoice.id).reduce((sum, { amount }) => sum + amount, 0);
    const refunded = (end.refunds ?? []).reduce((sum, { amount }) => sum + amount.amount, 0);
    const credit = end.status === "void" ? 0 : end.creditUsed.amount;
    const open = end.status === "open" ? end.total.amount - end.creditUsed.amount : 0;
    // Below zero, it becomes credit for the customer.
    expect(documents, JSON.stringify(end)).toBe(end.total.amount < 0 ? end.total.amount : charged - refunded + credit + open);
    for (const { document, corrects, total } of corrections) {
      const corrected = rows.find(({ id }) => id === corrects)!;
      const isWithdrawal = corrected !== invoice;
      expect(document).toMatchObject({ kind: isWithdrawal ? "debit-note" : "credit-note", corrects: corrected.number });
      if (isWithdrawal) expect(total + corrected.total).toBe(0);
    }
    const taxes = [invoice, ...corrections].reduce((sum, { tax }) => sum + tax, 0);
    if (documents === 0) expect(taxes).toBe(0);
    // The remaining tax is proportional to the remaining sum, to half a minor unit, however it was refunded. A withdrawn credit note
    // takes its own rounding with it, until the next one.
    else if (end.total.amount > 0)
      expect(Math.abs(taxes - (invoice.tax * documents) / end.total.amount), JSON.stringify(end)).toBeLessThanOrEqual(
        end.failedRefunds?.length && !end.refunds?.some(isMadeAgain) ? 1 : 0.5,
      );
  }
  const numbers = rows.map(({ number }) => number!).toSorted();
  expect(new Set(numbers).size).toBe(rows.length);
  expect(rows.filter(({ document }) => (document as InvoiceDocument).kind === "debit-note").length).toBeGreaterThan(5);
  expect(rows.some(({ total }) => total < 0) && rows.some(({ status }) => status === "void") && rows.some(({ corrects }) => corrects)).toBe(
    true,
  );
});
