/** The customer's bank, as the sandbox simulates it: for a card just entered, and for a waiting payment. */
import type { FastifyInstance } from "fastify";
import type { Waiting } from "../calls/change-subscription.ts";
import type { PurchaseRequest } from "../calls/open-page.ts";
import { bankPage, messagePage } from "./pages/bank-page.ts";
import { cardName } from "./pages/card-page.ts";
import { changeCard, confirmWaiting, payPurchase, purchaseBill, type Entered, type PageOutcome } from "./pay-page.ts";
import { findCheckout, findCustomer, findInvoice, findSubscription, type CheckoutRow } from "../sandbox-rows.ts";
import { bodyOf, idOf, sendDone, sendGone, sendPage, type SandboxSite } from "./page-answers.ts";
import type { KeptCard } from "../test-cards.ts";
import { wordsFor, type Words } from "./words.ts";

export function serveBank(app: FastifyInstance, site: SandboxSite): void {
  for (const path of ["challenge", "confirm"] as const) {
    app.get(`/sandbox/${path}/:id`, async (request, reply) => {
      const words = wordsFor(request);
      const page = await findAsked(site, idOf(request), path);
      if (!page) return sendGone(reply, site, words);
      if (page.state === "done") return sendDone(reply, site, words, page.successUrl);
      return sendPage(reply, bankPage({ words, merchant: site.merchant, question: await question(site, words, page) }));
    });

    app.post(`/sandbox/${path}/:id`, async (request, reply) => {
      const words = wordsFor(request);
      const page = await findAsked(site, idOf(request), path);
      if (!page) return sendGone(reply, site, words);
      if (page.state === "done") return reply.redirect(page.successUrl, 303);
      if (bodyOf(request)["answer"] !== "confirm") return reply.redirect(wayBack(page), 303);
      const outcome = await confirm(site, page);
      site.wake();
      if (outcome.kind === "done") return reply.redirect(outcome.url, 303);
      if (outcome.kind !== "declined") return sendGone(reply, site, words);
      const { declined: title, declinedText } = words.bank;
      const text = declinedText(words.said(outcome.reason));
      const link = { label: words.goBack, url: wayBack(page) };
      return sendPage(reply, messagePage({ words, merchant: site.merchant, title, text, link }), 402);
    });
  }
}

async function findAsked(site: SandboxSite, id: string, path: "challenge" | "confirm"): Promise<CheckoutRow | null> {
  const page = await findCheckout(site.db, id);
  if (!page || (page.kind === "confirmation") !== (path === "confirm")) return null;
  if (page.state === "done") return page;
  const isAsked = path === "confirm" || page.entered !== null;
  return isAsked && page.expiresAt > site.now() ? page : null;
}

function confirm(site: SandboxSite, page: CheckoutRow): Promise<PageOutcome> {
  if (page.kind === "purchase") return payPurchase(site, page.id, null);
  return page.kind === "card" ? changeCard(site, page.id, null) : confirmWaiting(site, page.id);
}

/** Where a customer continues after "no": the form they came from, or the panel. */
function wayBack(page: CheckoutRow): string {
  if (page.kind === "confirmation") return page.cancelUrl;
  return `/sandbox/${page.kind === "purchase" ? "checkout" : "card"}/${page.id}?refused`;
}

async function question(site: SandboxSite, words: Words, page: CheckoutRow): Promise<string> {
  const customer = page.customerId ? await findCustomer(site.db, page.customerId) : undefined;
  const entered = page.entered as (Partial<Entered> & { card: KeptCard }) | null;
  const card = entered?.card ?? customer?.card;
  const shown = card ? cardName(words, card) : words.yourCard;
  if (page.kind === "card") return words.bank.card(site.merchant, shown);
  if (page.kind === "confirmation") return words.bank.payment(await sumOf(site, words, page), site.merchant, shown);
  const request = page.request as PurchaseRequest;
  const place = entered?.details ?? { country: "", vatId: "" };
  const bill = purchaseBill(request, place, customer?.credit ?? 0, site.isTaxInclusive(request.items.currency));
  return words.bank.payment(words.money(bill.due, request.items.currency), site.merchant, shown);
}

/** What is charged after a "yes": the agreed sum, or the open amount. */
async function sumOf(site: SandboxSite, words: Words, page: CheckoutRow): Promise<string> {
  const waiting = page.request as Waiting;
  if (waiting.kind !== "retry") return words.money(waiting.expectedDueNow.amount, waiting.expectedDueNow.currency);
  const subscription = await findSubscription(site.db, page.subscriptionId!);
  const invoice = subscription?.openInvoiceId ? await findInvoice(site.db, subscription.openInvoiceId) : undefined;
  return words.money(invoice ? invoice.total - invoice.creditUsed : 0, subscription?.currency ?? "USD");
}
