/** Serves the page for changing the card. */
import type { FastifyInstance, FastifyReply } from "fastify";
import { cardPage } from "./pages/card-page.ts";
import { changeCard } from "./pay-page.ts";
import { emptyPayForm, readCard, typedForm, type PayErrors, type PayForm } from "./read-pay-form.ts";
import { findCheckout, findCustomer, findInvoice, findSubscription, type CheckoutRow } from "../sandbox-rows.ts";
import { fillIn } from "./serve-checkout.ts";
import { bodyOf, idOf, sendDone, sendGone, sendPage, type SandboxSite } from "./page-answers.ts";
import { payPal } from "../test-cards.ts";
import { wordsFor, type Words } from "./words.ts";

export function serveCardPage(app: FastifyInstance, site: SandboxSite): void {
  app.get("/sandbox/card/:id", async (request, reply) => {
    const words = wordsFor(request);
    const page = await findOpen(site, idOf(request));
    if (!page) return sendGone(reply, site, words);
    if (page.state === "done") return sendDone(reply, site, words, page.successUrl);
    const refused = (request.query as { refused?: string }).refused !== undefined;
    return show(reply, site, words, page, {
      form: emptyPayForm,
      message: refused ? words.cardPage.notConfirmed : null,
    });
  });

  app.post("/sandbox/card/:id", async (request, reply) => {
    const words = wordsFor(request);
    const page = await findOpen(site, idOf(request));
    if (!page) return sendGone(reply, site, words);
    const body = bodyOf(request);
    const form = typedForm(body);
    if (body["use"] !== undefined) return show(reply, site, words, page, { form: fillIn(form, Number(body["use"]), site.now()) });
    const read = body["method"] === "paypal" ? { card: payPal } : readCard(words, form, site.now());
    if ("errors" in read) return show(reply, site, words, page, { form, errors: read.errors, status: 422 });
    const outcome = await changeCard(site, page.id, read.card);
    site.wake();
    if (outcome.kind === "done") return reply.redirect(outcome.url, 303);
    if (outcome.kind === "challenge") return reply.redirect(`/sandbox/challenge/${page.id}`, 303);
    if (outcome.kind === "gone") return sendGone(reply, site, words);
    return show(reply, site, words, page, { form, message: words.cardPage.declined(words.said(outcome.reason)), status: 402 });
  });
}

async function findOpen(site: SandboxSite, id: string): Promise<CheckoutRow | null> {
  const page = await findCheckout(site.db, id);
  return page?.kind === "card" && (page.state === "done" || page.expiresAt > site.now()) ? page : null;
}

async function show(
  reply: FastifyReply,
  site: SandboxSite,
  words: Words,
  page: CheckoutRow,
  { form, errors = {}, message = null, status = 200 }: { form: PayForm; errors?: PayErrors; message?: string | null; status?: number },
): Promise<FastifyReply> {
  const customer = await findCustomer(site.db, page.customerId!);
  const subscription = await findSubscription(site.db, page.subscriptionId!);
  const invoice = subscription?.openInvoiceId ? await findInvoice(site.db, subscription.openInvoiceId) : undefined;
  const open = invoice?.status === "open" ? words.money(invoice.total - invoice.creditUsed, invoice.currency) : null;
  return sendPage(
    reply,
    cardPage({ words, merchant: site.merchant, current: customer?.card ?? null, open, form, errors, message, returnUrl: page.successUrl }),
    status,
  );
}
