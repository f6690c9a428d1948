/** After a payment: copies the provider's invoices, and mails the receipt of each paid one and each correction, once. */
import { buffer } from "node:stream/consumers";
import { isErased } from "#domain/accounts/erasure-store.ts";
import { findOwner } from "#domain/accounts/credential-store.ts";
import { findSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { keepCard } from "#domain/cards/card-store.ts";
import { copyInvoices, type InvoiceCopying } from "#domain/invoices/issuing/copy-invoices.ts";
import { keepNumbers } from "#domain/invoices/issuing/number-document.ts";
import { drawInvoice } from "#domain/invoices/document/draw-invoice.ts";
import type { InvoiceDocument } from "#domain/invoices/document/invoice-document.ts";
import { sumsOf } from "#domain/invoices/document/invoice-sums.ts";
import { readStanding } from "#domain/invoices/read-standing.ts";
import { listUnmailed, markReceiptQueued, type InvoiceRow } from "#domain/invoices/invoice-store.ts";
import { cardName } from "#domain/invoices/document/invoice-words.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { correctionMail, receiptMail } from "#domain/mail/templates/billing/receipt-mail.ts";
import { after, dayMs } from "#platform/clock.ts";
import { readingOnce } from "#platform/loops/read-once.ts";
import { providerSubscriptionId } from "./provider-subscription-id.ts";

type Settling = InvoiceCopying & { publicUrl: string };

/** Records what the provider charged, and mails the receipts and corrections; throws the provider's errors; safe to repeat. */
export async function settlePayments(parts: Settling, accountId: string, beside?: { id: string; customerId: string }): Promise<void> {
  await readingOnce(async () => {
    await copyInvoices(parts, accountId, beside);
    // First: a number that was mailed and is kept nowhere else could be given away again after a restored dump.
    await keepNumbers(parts, accountId);
    await copyCard(parts, accountId);
  });
  for (const row of await listUnmailed(parts.db, accountId))
    await (row.corrects !== null || row.total < 0 ? sendCorrection(parts, row) : sendReceipt(parts, row));
}

/** Stores the card that pays from now on. */
async function copyCard({ db, provider }: Settling, accountId: string): Promise<void> {
  const id = providerSubscriptionId(await findSubscription(db, accountId), provider);
  const live = id ? await provider.readSubscription(id) : null;
  const card = live?.card;
  // Of an erased account nothing is stored that its owner paid with.
  if (card) await db.transaction(async (tx) => ((await isErased(tx, accountId)) ? undefined : keepCard(tx, accountId, card)));
}

/** A provider that is the seller sends its own receipts. Ours are queued in the transaction that marks them as queued. */
async function sendReceipt(
  { db, clock, publicUrl }: Settling,
  { id, accountId, number, document: written, currency, status, issuedAt }: InvoiceRow,
): Promise<void> {
  const owner = await findOwner(db, accountId);
  if (!written || !number || !owner) return;
  const document = written as InvoiceDocument;
  const standing = await readStanding(db, { id, status, currency });
  const { received, fromCredit, paidOtherwise } = sumsOf(document, status, standing.received);
  // Paid, but by no payment we know of: either its payment will be listed soon, or after a day it was certainly paid another way.
  if (paidOtherwise !== 0 && clock.now() < after(issuedAt, dayMs)) return;
  const pdf = await buffer(drawInvoice(document, standing));
  const { last } = standing;
  const money = (amount: number) => ({ amount, currency });
  const { email, fullName, language } = owner;
  const mail = await receiptMail(
    {
      email,
      fullName,
      language,
      received: money(received),
      fromCredit: money(fromCredit),
      paidAt: last?.at ?? issuedAt,
      card: last && cardName(last.brand, last.lastFour, language),
      invoice: { number, pdf },
    },
    publicUrl,
  );
  await db.transaction(async (tx) => {
    if (await markReceiptQueued(tx, id, clock.now())) await queueMail(tx, mail, clock.now());
  });
}

/** Tells the customer of a credit note or debit note, with the document: queued in the transaction that marks it as queued. */
async function sendCorrection(
  { db, clock, publicUrl }: Settling,
  { id, accountId, number, document: written, currency, status }: InvoiceRow,
): Promise<void> {
  const owner = await findOwner(db, accountId);
  if (!written || !number || !owner) return;
  const document = written as InvoiceDocument;
  const pdf = await buffer(drawInvoice(document, await readStanding(db, { id, status, currency })));
  const { email, fullName, language } = owner;
  const mail = await correctionMail(
    {
      email,
      fullName,
      language,
      because: document.because ?? "credited",
      total: { amount: Math.abs(document.total.amount), currency },
      corrects: document.corrects ?? "",
      document: { number, pdf },
    },
    publicUrl,
  );
  await db.transaction(async (tx) => {
    if (await markReceiptQueued(tx, id, clock.now())) await queueMail(tx, mail, clock.now());
  });
}
