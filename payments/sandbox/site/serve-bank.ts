/** The customer's bank, as the sandbox simulates it: for a card just entered, and for a waiting payment. */
import type { FastifyInstance } from "fastify";
import type { Waiting } from "../calls/change-subscription.ts";
import type { PurchaseRequest } from "../calls/open-page.ts";
import { formatMoney } from "../sums/money-math.ts";
import { bankPage, messagePage } from "./pages/bank-page.ts";
import { cardName } from "./pages/card-page.ts";
import { changeCard, confirmWaiting, payPurchase, purchaseBill, type Entered, type PageOutcome } from "./pay-page.ts";
import { findCheckout, findCustomer, findInvoice, findSubscription, type CheckoutRow } from "../sandbox-rows.ts";
import { bodyOf, idOf, sendDone, sendGone, sendPage, type SandboxSite } from "./page-answers.ts";
import type { KeptCard } from "../sums/test-cards.ts";

export function serveBank(app: FastifyInstance, site: SandboxSite): void {
  for (const path of ["challenge", "confirm"] as const) {
    app.get(`/sandbox/${path}/:id`, async (request, reply) => {
      const page = await findAsked(site, idOf(request), path);
      if (!page) return sendGone(reply, site);
      if (page.state === "done") return sendDone(reply, site, page.successUrl);
      return sendPage(reply, bankPage({ merchant: site.merchant, ...(await question(site, page)) }));
    });

    app.post(`/sandbox/${path}/:id`, async (request, reply) => {
      const page = await findAsked(site, idOf(request), path);
      if (!page) return sendGone(reply, site);
      if (page.state === "done") return reply.redirect(page.successUrl, 303);
      if (bodyOf(request)["answer"] !== "confirm") return reply.redirect(wayBack(page), 303);
      const outcome = await confirm(site, page);
      site.wake();
      if (outcome.kind === "done") return reply.redirect(outcome.url, 303);
      if (outcome.kind !== "declined") return sendGone(reply, site);
      const text = `${outcome.reason} Nothing was charged.`;
      return sendPage(
        reply,
        messagePage({ merchant: site.merchant, title: "The payment was declined", text, link: { label: "Go back", url: wayBack(page) } }),
        402,
      );
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

async function question(site: SandboxSite, page: CheckoutRow): Promise<{ what: string; card: string }> {
  const customer = page.customerId ? await findCustomer(site.db, page.customerId) : undefined;
  const entered = page.entered as (Partial<Entered> & { card: KeptCard }) | null;
  const card = entered?.card ?? customer?.card;
  const shown = card ? cardName(card) : "your card";
  if (page.kind === "card") return { what: `that ${site.merchant} may charge your card`, card: shown };
  if (page.kind === "confirmation") return { what: `a payment of ${await sumOf(site, page)} to ${site.merchant}`, card: shown };
  const request = page.request as PurchaseRequest;
  const place = entered?.details ?? { country: "", vatId: "" };
  const bill = purchaseBill(request, place, customer?.credit ?? 0, site.isTaxInclusive(request.items.currency));
  return { what: `a payment of ${formatMoney(bill.due, request.items.currency)} to ${site.merchant}`, card: shown };
}

/** What is charged after a "yes": the agreed sum, or the open amount. */
async function sumOf(site: SandboxSite, page: CheckoutRow): Promise<string> {
  const waiting = page.request as Waiting;
  if (waiting.kind !== "retry") return formatMoney(waiting.expectedDueNow.amount, waiting.expectedDueNow.currency);
  const subscription = await findSubscription(site.db, page.subscriptionId!);
  const invoice = subscription?.openInvoiceId ? await findInvoice(site.db, subscription.openInvoiceId) : undefined;
  return formatMoney(invoice ? invoice.total - invoice.creditUsed : 0, subscription?.currency ?? "USD");
}
