/** Serves the checkout page: show, fill in, pay. */
import type { FastifyInstance, FastifyReply } from "fastify";
import { needsAddress } from "#contract/billing/full-invoice.ts";
import type { Bill } from "../../ledger/bill.ts";
import { cycleBoundary, toSecond } from "../../ledger/billing-cycle.ts";
import type { PurchaseRequest } from "../calls/open-page.ts";
import { checkoutPage, payLabel, summaryTable } from "./pages/checkout-page.ts";
import { payPurchase, purchaseBill, type Entered } from "./pay-page.ts";
import { emptyPayForm, readCard, readPlace, typedForm, type PayErrors, type PayForm } from "./read-pay-form.ts";
import { findCheckout, findCustomer, type CheckoutRow } from "../sandbox-rows.ts";
import { bodyOf, idOf, sendDone, sendGone, sendPage, type SandboxSite } from "./page-answers.ts";
import { payPal, testCards, type KeptCard } from "../test-cards.ts";
import { grouped } from "./pages/card-form.ts";
import { wordsFor, type Words } from "./words.ts";

interface OpenCheckout {
  page: CheckoutRow;
  request: PurchaseRequest;
  credit: number;
}

export function serveCheckout(app: FastifyInstance, site: SandboxSite): void {
  app.get("/sandbox/checkout/:id", async (request, reply) => {
    const words = wordsFor(request);
    const open = await findOpen(site, idOf(request));
    if (!open) return sendGone(reply, site, words);
    if (open.page.state === "done") return sendDone(reply, site, words, open.page.successUrl);
    const refused = (request.query as { refused?: string }).refused !== undefined;
    const kept = (open.page.entered as { form?: PayForm } | null)?.form;
    return show(reply, site, words, open, {
      form: refused && kept ? kept : firstForm(open),
      message: refused ? words.checkout.notConfirmed : null,
    });
  });

  app.get("/sandbox/checkout/:id/price", async (request, reply) => {
    const words = wordsFor(request);
    const open = await findOpen(site, idOf(request));
    if (!open) return sendGone(reply, site, words);
    const { country = "", vatId = "" } = request.query as { country?: string; vatId?: string };
    const bill = billOf(site, words, open, { ...emptyPayForm, country: country.slice(0, 2), vatId: vatId.slice(0, 20) });
    const { currency } = open.request.items;
    return reply.send({
      due: bill.due,
      total: words.money(bill.due, currency),
      label: payLabel(words, bill, currency),
      table: summaryTable(words, bill, currency).text.replace(/^<dl[^>]*>|<\/dl>$/g, ""),
    });
  });

  app.post("/sandbox/checkout/:id", async (request, reply) => {
    const words = wordsFor(request);
    const open = await findOpen(site, idOf(request));
    if (!open) return sendGone(reply, site, words);
    if (open.page.state === "done") return reply.redirect(open.page.successUrl, 303);
    const body = bodyOf(request);
    const form = typedForm(body);
    if (body["use"] !== undefined) return show(reply, site, words, open, { form: fillIn(form, Number(body["use"]), site.now()) });
    const isWhole = isAddressNeeded(open, billOf(site, words, open, form));
    const read = readAll(words, form, { isPayPal: body["method"] === "paypal", isWhole }, site.now());
    if ("errors" in read) return show(reply, site, words, open, { form, errors: read.errors, status: 422 });
    if (Number(body["shown"]) !== billOf(site, words, open, form).due) {
      return show(reply, site, words, open, { form, message: words.checkout.changed, status: 409 });
    }
    const outcome = await payPurchase(site, open.page.id, { ...read.entered, form });
    site.wake();
    if (outcome.kind === "done") return reply.redirect(outcome.url, 303);
    if (outcome.kind === "challenge") return reply.redirect(`/sandbox/challenge/${open.page.id}`, 303);
    if (outcome.kind === "gone") return sendGone(reply, site, words);
    return show(reply, site, words, open, {
      form,
      message: words.checkout.declined(words.said(outcome.reason)),
      status: 402,
    });
  });
}

async function findOpen(site: SandboxSite, id: string): Promise<OpenCheckout | null> {
  const page = await findCheckout(site.db, id);
  if (page?.kind !== "purchase" || (page.state !== "done" && page.expiresAt <= site.now())) return null;
  const customer = page.customerId ? await findCustomer(site.db, page.customerId) : undefined;
  return { page, request: page.request as PurchaseRequest, credit: page.state === "done" ? 0 : (customer?.credit ?? 0) };
}

/** Prefills what is known about the customer; a new customer's country is guessed from the currency. */
function firstForm({ request }: OpenCheckout): PayForm {
  const { details } = request.checkout;
  const country = details?.country || ({ EUR: "DE", GBP: "GB", USD: "US" }[request.items.currency] ?? "");
  const { line1 = "", postalCode = "", city = "", vatId = "" } = details ?? {};
  return { ...emptyPayForm, country, line1, postalCode, city, vatId };
}

function billOf(site: SandboxSite, words: Words, { request, credit }: OpenCheckout, form: PayForm): Bill {
  const read = readPlace(words, form);
  const place = "place" in read ? read.place : { country: form.country, vatId: "" };
  return purchaseBill(request, place, credit, site.isTaxInclusive(request.items.currency));
}

/** The invoice of such a sum must name the buyer's address. */
const isAddressNeeded = ({ request }: OpenCheckout, { total }: Bill): boolean =>
  needsAddress({ amount: total, currency: request.items.currency });

function readAll(
  words: Words,
  form: PayForm,
  { isPayPal, isWhole }: { isPayPal: boolean; isWhole: boolean },
  now: Date,
): { entered: Entered } | { errors: PayErrors } {
  const card: { card: KeptCard } | { errors: PayErrors } = isPayPal ? { card: payPal } : readCard(words, form, now);
  const place = readPlace(words, form, isWhole);
  const errors = { ...("errors" in card ? card.errors : {}), ...("errors" in place ? place.errors : {}) };
  if ("errors" in card || "errors" in place) return { errors };
  return { entered: { card: card.card, details: { name: form.name.trim(), ...place.place } } };
}

/** Fills in a test card whose button was pressed without scripts. */
export function fillIn(form: PayForm, index: number, now: Date): PayForm {
  const card = testCards[index];
  if (!card) return form;
  const year = String(now.getUTCFullYear() + 8).slice(-2);
  return {
    ...form,
    number: grouped(card.number),
    expiry: `12 / ${year}`,
    cvc: card.brand === "amex" ? "1234" : "123",
    name: form.name || "Test Customer",
  };
}

interface Shown {
  form: PayForm;
  errors?: PayErrors;
  message?: string | null;
  status?: number;
}

function show(
  reply: FastifyReply,
  site: SandboxSite,
  words: Words,
  open: OpenCheckout,
  { form, errors = {}, message = null, status = 200 }: Shown,
): FastifyReply {
  const { checkout, items } = open.request;
  const bill = billOf(site, words, open, form);
  const view = {
    words,
    merchant: site.merchant,
    email: checkout.email,
    items,
    bill,
    isAddressNeeded: isAddressNeeded(open, bill),
    form,
    errors,
    message,
    cancelUrl: open.page.cancelUrl,
    renewsAt: cycleBoundary(toSecond(site.now()), items.cycle, 1),
  };
  return sendPage(reply, checkoutPage(view), status);
}
