import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { BillingDetails } from "#contract/billing/billing.ts";
import { routes } from "#contract/routes.ts";
import { askProvider, pageLimitMs } from "#domain/billing/ask-provider.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { findSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { keepCard } from "#domain/cards/card-store.ts";
import { drawInvoice } from "#domain/invoices/document/draw-invoice.ts";
import type { InvoiceDocument } from "#domain/invoices/document/invoice-document.ts";
import { readStanding } from "#domain/invoices/read-standing.ts";
import { detailsRevision } from "#domain/invoices/details-revision.ts";
import { findInvoice, listInvoices, listPayments, readBillingDetails, type InvoiceRow } from "#domain/invoices/invoice-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { Connection } from "#platform/database.ts";
import { Redirect } from "#platform/http/redirect.ts";
import type { Mount, Services } from "../services.ts";
import { readInvoiceSheet } from "./invoice-sheet.ts";
import { cardView, paymentView, transactionView } from "./payment-views.ts";
import { providerSubscriptionId } from "./provider-subscription-id.ts";
import { readNextPayment } from "./read-next-payment.ts";
import { saveDetails } from "./save-details.ts";
import { secondMs } from "#platform/clock.ts";
import { within } from "#platform/loops/within.ts";

export function paymentRoutes(mount: Mount, services: Services): void {
  const { db, clock, billing } = services;
  const { provider } = billing;
  const refresh = rememberRefreshes(services);

  mount(routes.getPayments, async ({ signedIn }) => {
    await refresh(signedIn.accountId);
    return { payments: (await listPayments(db, signedIn.accountId)).map(paymentView) };
  });
  mount(routes.getTransactions, async ({ signedIn }) => {
    await refresh(signedIn.accountId);
    return { transactions: (await listInvoices(db, signedIn.accountId)).map(transactionView) };
  });
  mount(routes.getTransaction, async ({ signedIn, params }) => {
    await refresh(signedIn.accountId);
    return { invoice: await readInvoiceSheet(db, await ownInvoice(db, signedIn.accountId, params.id)) };
  });
  mount(routes.getInvoice, ({ signedIn, params, reply }) => answerInvoice(services, signedIn.accountId, params.id, reply));
  mount(routes.getPaymentInformation, async ({ signedIn }) => {
    const id = providerSubscriptionId(await findSubscription(db, signedIn.accountId), provider);
    const live = id ? await askProvider(() => provider.readSubscription(id), pageLimitMs) : null;
    if (live?.card) await keepCard(db, signedIn.accountId, live.card);
    return { paymentInformation: live?.card ? cardView(live.card, clock.now()) : null };
  });
  mount(
    routes.changeCard,
    async ({ signedIn, address }) => {
      const { accountId, userId } = signedIn;
      const id = providerSubscriptionId(await findSubscription(db, signedIn.accountId), provider);
      if (!id) throw new AppError("subscription_not_found");
      const url = await askProvider(() => provider.changeCardUrl(id, `${services.publicUrl}/manage/billing`), pageLimitMs);
      await writeAudit(db, { accountId, userId, action: "card.change-asked", address }, clock.now());
      return { url };
    },
    { perMinute: 20 },
  );
  mount(routes.getNextPayment, async ({ signedIn }) => ({ nextPayment: await readNextPayment(billing, signedIn.accountId) }));
  const withRevision = <Details extends BillingDetails | null>(details: Details) => ({ details, revision: detailsRevision(details) });
  mount(routes.getBillingDetails, async ({ signedIn }) => withRevision(await readBillingDetails(db, signedIn.accountId)));
  mount(
    routes.saveBillingDetails,
    async ({ signedIn, body, address }) => withRevision(await saveDetails(services, signedIn, body, address)),
    { perMinute: 30 },
  );
}

/**
 * Ours is drawn from the stored document. A seller's is at the provider; its address is requested at each click, since such links expire.
 */
async function answerInvoice({ db, billing }: Services, accountId: string, id: string, reply: FastifyReply): Promise<Readable | Redirect> {
  const invoice = await ownInvoice(db, accountId, id);
  if (!invoice.document) {
    if (invoice.provider !== billing.provider.name) throw new AppError("invoice_not_found");
    const url = await askProvider(() => billing.provider.invoiceUrl(invoice.providerInvoiceId), pageLimitMs);
    if (!url) throw new AppError("invoice_not_found");
    return new Redirect(url);
  }
  const standing = await readStanding(db, invoice);
  void reply.type("application/pdf").header("content-disposition", `inline; filename="${invoice.number}.pdf"`);
  return drawInvoice(invoice.document as InvoiceDocument, standing);
}

/** Another account's invoice is refused like one that does not exist, and so is one without an amount. */
async function ownInvoice(db: Connection, accountId: string, id: string): Promise<InvoiceRow> {
  const invoice = isUuid(id) ? await findInvoice(db, accountId, id) : null;
  if (!invoice || invoice.total === 0) throw new AppError("invoice_not_found");
  return invoice;
}

const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);

const limitMs = 2 * secondMs;

/** Settles an account's payments, once for all concurrent requests; if the provider is slow or down, the copies stay as they are. */
function rememberRefreshes({ billing, log }: Services): (accountId: string) => Promise<void> {
  const underWay = new Map<string, Promise<void>>();
  return async (accountId) => {
    const settling = underWay.get(accountId) ?? billing.settlePayments(accountId).finally(() => underWay.delete(accountId));
    underWay.set(accountId, settling);
    await within(limitMs, "the provider", settling).catch((error: unknown) =>
      log.warn({ err: error, accountId }, "invoices could not be refreshed; the stored copies are shown"),
    );
  };
}
