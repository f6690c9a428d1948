/**
 * The billing of one of the panel's users, for the stand-in of the API: its prices, texts and documents come from the functions that the
 * service and the payment sandbox use, and its rows are kept here. `testing/panel/panel-billing.slow.test.ts` compares it with the real API.
 */
import type { BillingDetails, ChangePreview, ResubscribePreview, Subscription } from "#contract/billing/billing.ts";
import { fieldMessage } from "#contract/api/field-words.ts";
import type { InvoiceSheet } from "#contract/billing/invoice.ts";
import type { RouteAnswer, RouteBody } from "#contract/api/route.ts";
import type { routes } from "#contract/routes.ts";
import { asDelivered, n8nAlone } from "#contract/billing/plans/delivered-features.ts";
import { deletionAfterEndDays, deletionAfterPauseDays, lastBackupDays } from "#contract/billing/plans/plan-days.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { changeWords } from "#domain/billing/purchases/change/change-words.ts";
import { asksForNow, changeTerms } from "#domain/billing/purchases/change/change-terms.ts";
import { changesStart, isGivenByRestart } from "#domain/billing/purchases/change/changes-start.ts";
import { stopsWorking } from "#domain/billing/purchases/change/stops-working.ts";
import { expiryOf } from "#domain/billing/purchases/sealed-quote.ts";
import { readChoice } from "#domain/billing/purchases/read-choice.ts";
import { describeInvoice, servicePeriodOf } from "#domain/invoices/document/describe-invoice.ts";
import { drawInvoice } from "#domain/invoices/document/draw-invoice.ts";
import { invoiceNumber, type InvoiceDocument } from "#domain/invoices/document/invoice-document.ts";
import { detailsRevision } from "#domain/invoices/details-revision.ts";
import type { InvoiceRow, PaymentRow } from "#domain/invoices/invoice-store.ts";
import { invoiceSheetView } from "#domain/journeys/manage-billing/invoice-sheet.ts";
import { cardView, paymentView, transactionView } from "#domain/journeys/manage-billing/payment-views.ts";
import { planSpecView } from "#domain/plans/catalogue.ts";
import { directionOf, purchaseOf, type PlanFacts } from "#domain/plans/plan-facts.ts";
import type { UnpaidTime } from "#payments/payment-provider.ts";
import type { Bill } from "#payments/ledger/bill.ts";
import { nextPeriod, toSecond } from "#payments/ledger/billing-cycle.ts";
import type { Bank, ChargeOutcome } from "#payments/ledger/charge.ts";
import { priceItems, type Items, type PlanPrice } from "#payments/ledger/items.ts";
import {
  afterTurn,
  buy,
  change as changeTo,
  end,
  passTo,
  resume,
  retryDays,
  setCancel,
  tryOpen,
  type Account,
  type Turn,
} from "#payments/ledger/ledger.ts";
import { planChange, quoteOf, type PlannedChange } from "#payments/ledger/quote-change.ts";
import { quoteResume } from "#payments/ledger/quote-resume.ts";
import type { CustomerRow } from "#payments/sandbox/sandbox-rows.ts";
import { bankOf, chargeCard, findTestCard, type KeptCard } from "#payments/sandbox/test-cards.ts";
import { AppError } from "#platform/app-error.ts";
import { after, dayMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { planFacts } from "../payments/catalogue-plans.ts";
import { testSeller } from "../payments/test-seller.ts";
import { AnsweredFile } from "./answered-file.ts";
import type { Answers } from "./panel-answers.ts";
import type { PanelPerson } from "./serve-panel.ts";

type Body<Name extends keyof typeof routes> = RouteBody<(typeof routes)[Name]>;

/** Where the provider's pages are; they are not part of the panel, so a test that leaves for one serves it. */
export const providerPages = { checkout: "/sandbox/checkout/1", card: "/sandbox/card/1" } as const;

export interface PanelBilling {
  /** The invoices, newest first. */
  invoices(): InvoiceSheet[];
  changePlan(planId: string): Promise<void>;
  writeDetails(details: BillingDetails): void;
  /** The customer has entered this card of the sandbox on the provider's page. */
  enterCard(number: string): void;
  /** The service's time is that of the renewal, and the card did not pay for it. */
  failRenewal(): void;
  /** Its cancellation has come into effect: the workspace is deleted after a last backup, which is kept until then. */
  end(backup?: "kept" | "gone"): void;
  /** It was ended at the provider, such as after a refund: the workspace is stopped, and will be deleted. */
  endUnannounced(): void;
  /** The renewal could not be paid, and neither could the attempts after it: the workspace is stopped. */
  pause(): void;
}

const currency = "USD";

/** Makes this person a customer from Germany who has just paid for the plan, with a card of the sandbox. */
export async function subscribe(person: PanelPerson, planId: string, number = "4000002500003155"): Promise<PanelBilling> {
  const { state } = person;
  const now = (): Date => toSecond(state.now);
  const bought = await itemsOf(planFacts.get(planId)!);
  const customer: CustomerRow = {
    id: "cus_1",
    accountId: "1",
    email: state.user.email,
    name: state.user.fullName,
    currency,
    credit: 0,
    details: { name: state.user.fullName, line1: "", line2: "", postalCode: "10115", city: "", country: "DE", vatId: "" },
    card: cardOf(number, now()),
    createdAt: now(),
  };
  const bank: Bank = (asked) => chargeCard(account.customer.card, asked);
  const first = buy(
    { customer, bank: bankOf(customer.card), items: bought, taxInclusive: false },
    { occasion: "new-card", confirmed: true },
    now(),
  );
  let account: Account<CustomerRow> = { subscription: first.subscription, customer, bank, open: null };
  let scheduled: PlanFacts | null = null;
  let unpaid: UnpaidTime | null = null;
  const issued: { row: InvoiceRow; payments: PaymentRow[] }[] = [];
  const changes = new Map<string, { to: PlanFacts; planned: PlannedChange; preview: ChangePreview }>();
  const resumptions = new Map<string, ResubscribePreview>();

  const plan = (): PlanFacts => planFacts.get(account.subscription.items.purchase.planId)!;
  const endsAt = (): string | null => (account.subscription.cancelsAtPeriodEnd ? account.subscription.periodEndsAt.toISOString() : null);
  const status = () => (account.subscription.status === "canceled" ? "deleted" : account.subscription.status) as Subscription["status"];

  function deletionAt(): string | null {
    const { pausedAt, endedAt } = account.subscription;
    if (endedAt) return state.user.account.instance ? after(endedAt, deletionAfterEndDays * dayMs).toISOString() : null;
    return pausedAt && after(pausedAt, deletionAfterPauseDays * dayMs).toISOString();
  }

  function view(): Subscription {
    const { planId, name, period } = plan();
    const { subscription, customer } = account;
    return {
      status: status(),
      planId,
      planName: name,
      billingPeriod: period,
      currency,
      quotas: null,
      periodEndsAt: subscription.periodEndsAt.toISOString(),
      cancelAt: endsAt(),
      changesCloseAt: null,
      isArranged: false,
      scheduledChange: scheduled && {
        planId: scheduled.planId,
        planName: scheduled.name,
        at: subscription.periodEndsAt.toISOString(),
      },
      retries: subscription.retries.map(({ at, outcome }) => ({ at: at.toISOString(), outcome })),
      pausedAt: subscription.pausedAt?.toISOString() ?? null,
      deletionAt: deletionAt(),
      credit: customer.credit ? { amount: customer.credit, currency } : null,
    };
  }

  /** What every page knows of it. */
  function show() {
    state.user.account.billing = {
      status: status(),
      planId: plan().planId,
      updateUrl: "http://localhost/manage/billing",
      cancelAt: endsAt(),
      isArranged: false,
    };
    state.user.account.planSpec = asDelivered(
      planSpecView({ ...plan().spec, id: plan().specId }, plan().planId, account.subscription.periodEndsAt),
      n8nAlone,
    );
    return { user: state.user };
  }

  /** Writes what the ledger did, and throws what the bank refused. A refused attempt at something new leaves nothing behind. */
  function write(turn: Turn): void {
    const { invoice, outcome, attempted } = turn;
    const waiting = issued.find(({ row }) => row.status === "open");
    account = afterTurn(account, turn);
    if (waiting && attempted > 0 && !invoice) waiting.payments.unshift(paymentOf(waiting.row, attempted, outcome));
    if (waiting && turn.open) waiting.row.status = turn.open;
    if (invoice && invoice.status !== "void") issue(invoice.bill, outcome);
    show();
  }

  function charge(turn: Turn): void {
    const { outcome } = turn;
    write(turn);
    if (outcome.kind === "declined") throw new AppError("payment_declined", { detail: outcome.reason });
    if (outcome.kind === "confirm") throw new AppError("payment_action_required");
  }

  /** Writes the invoice of a bill that was just paid, or that could not be. */
  function issue({ lines, tax, total, due, creditUsed }: Bill, outcome: ChargeOutcome): void {
    const { customer } = account;
    const description = describeInvoice(lines, planFacts);
    const number = invoiceNumber("sandbox", now().getUTCFullYear(), issued.length + 1);
    const document: InvoiceDocument = {
      kind: total < 0 ? "credit-note" : "invoice",
      number,
      issuedAt: now().toISOString(),
      subject: description,
      servicePeriod: servicePeriodOf(lines),
      corrects: null,
      creditUsed: { amount: creditUsed, currency },
      seller: testSeller,
      buyer: { accountName: state.user.username, email: state.user.email, details: customer.details! },
      lines: lines.map(({ label, quantity, amount, isProration }) => ({ label, quantity, amount, isProration })),
      tax,
      total: { amount: total, currency },
      taxInSellerCurrency: null,
      reverseCharge: false,
      vatCheck: null,
    };
    const row: InvoiceRow = {
      id: newId(),
      accountId: customer.accountId,
      provider: "sandbox",
      providerInvoiceId: `inv_${issued.length + 1}`,
      number,
      issuedAt: now(),
      description,
      currency,
      total,
      tax: tax?.amount.amount ?? 0,
      status: outcome.kind === "paid" ? "paid" : "open",
      document,
      receiptQueuedAt: now(),
      numberKeptAt: now(),
      corrects: null,
      seenAt: now(),
    };
    issued.unshift({ row, payments: due > 0 ? [paymentOf(row, due, outcome)] : [] });
  }

  const paymentOf = ({ id, accountId, provider }: InvoiceRow, amount: number, outcome: ChargeOutcome): PaymentRow => ({
    id: newId(),
    accountId,
    invoiceId: id,
    provider,
    providerPaymentId: `pay_${id}`,
    at: now(),
    currency,
    amount,
    status: outcome.kind === "paid" ? "succeeded" : "failed",
    brand: account.customer.card!.brand,
    lastFour: account.customer.card!.lastFour,
    reason: outcome.kind === "paid" ? null : outcome.reason,
  });

  function retry({ shown }: Body<"retryPayment">) {
    const open = issued.find(({ row }) => row.status === "open")?.row.total;
    if (shown && open !== undefined && open !== shown.amount) throw new AppError("preview_stale");
    charge(tryOpen(account, { occasion: "renewal", confirmed: false }, now()));
    return show();
  }

  const sheets = (): InvoiceSheet[] =>
    issued.map(({ row, payments }) => invoiceSheetView(row, { received: sumOf(payments), payments, corrections: [] }));

  function ownInvoice(id: string) {
    const found = issued.find(({ row }) => row.id === id);
    if (!found) throw new AppError("invoice_not_found");
    return found;
  }

  async function quote({ planId, timing: wanted }: Body<"previewChange">): Promise<{ preview: ChangePreview }> {
    if (status() === "past_due") throw new AppError("update_billing_first");
    const ending = status() === "paused" ? "paused" : account.subscription.cancelsAtPeriodEnd ? "cancelled" : null;
    if (ending)
      throw new AppError("update_billing_first", {
        detail: `Your subscription is ${ending}. Resubscribe first, then change your plan.`,
      });
    const from = { plan: plan(), quotas: null };
    const to = readChoice(planFacts, { planId, quotas: null }, currency, from.plan.planId);
    const direction = directionOf(from, to);
    const items = await itemsOf(to.plan);
    const { subscription, customer } = account;
    const priced = (billing: "now" | "next-period") => {
      const planned = planChange(subscription, customer, items, billing, now());
      return { planned, quote: quoteOf(planned, subscription, customer, now()) };
    };
    const givenBack = asksForNow({ wanted, direction }) ? priced("now").quote.givenBack : null;
    const terms = changeTerms({ wanted, direction, givenBack, from: from.plan, to: to.plan });
    const { planned, quote } = priced(terms.billing);
    const isNow = terms.timing === "now";
    const preview: ChangePreview = {
      previewId: newId(),
      quotedAt: now().toISOString(),
      expiresAt: expiryOf(now()).toISOString(),
      planId,
      planName: to.plan.name,
      direction,
      timing: terms.timing,
      effectiveAt: (isNow ? now() : subscription.periodEndsAt).toISOString(),
      lines: [...quote.lines],
      tax: quote.tax,
      dueNow: quote.dueNow,
      creditAfter: quote.creditAfter,
      nextRenewal: { at: quote.nextRenewal.at.toISOString(), amount: quote.nextRenewal.amount },
      stopsWorking: [
        ...(isNow && terms.billing === "next-period" ? [changeWords.nothingBack(subscription.periodEndsAt, "UTC")] : []),
        ...stopsWorking(from, to, { activeWorkflows: 0, executions: 0 }, isNow),
      ],
      restarts: (isNow ? changesStart : isGivenByRestart)({}, from.plan, to.plan),
    };
    changes.set(preview.previewId, { to: to.plan, planned, preview });
    return { preview };
  }

  function change({ previewId }: Body<"changePlan">) {
    const agreed = changes.get(previewId);
    if (!agreed) throw new AppError("preview_stale");
    const { to, planned, preview } = agreed;
    if (preview.timing === "period-end") scheduled = to;
    else {
      charge(changeTo(account, planned, false, now()));
      scheduled = null;
    }
    // Every other price was for the subscription as it was.
    changes.clear();
    return show();
  }

  function quoteResubscription(): { preview: ResubscribePreview } {
    const { planId, name } = plan();
    const preview: ResubscribePreview = {
      previewId: newId(),
      quotedAt: now().toISOString(),
      expiresAt: expiryOf(now()).toISOString(),
      planId,
      planName: name,
      ...(status() === "deleted" ? boughtAgain() : resumed()),
    };
    resumptions.set(preview.previewId, preview);
    return { preview };
  }

  type Resubscription = Pick<ResubscribePreview, "way" | "workspace" | "lastBackup" | "lines" | "tax" | "dueNow" | "card" | "nextPayment">;

  function resumed(): Resubscription {
    const { lines, tax, dueNow, nextRenewal } = quoteResume(account, now(), unpaid);
    return {
      way: status() === "paused" ? "charge" : "keep",
      workspace: "kept",
      lastBackup: null,
      lines: [...lines],
      tax,
      dueNow,
      card: account.customer.card && cardView(account.customer.card, now()),
      nextPayment: { at: nextRenewal.at.toISOString(), amount: nextRenewal.amount },
    };
  }

  /** At the provider's page, whose sum depends on the country. */
  function boughtAgain(): Resubscription {
    const amount = { amount: plan().recurringPrice[currency]!, currency };
    const lines = [{ label: plan().name, quantity: 1, amount, isProration: false }];
    const { instance, lastBackup } = state.user.account;
    const workspace = instance ? "kept" : lastBackup ? "restored" : "empty";
    return { way: "checkout", workspace, lastBackup, lines, tax: null, dueNow: amount, card: null, nextPayment: null };
  }

  function resubscribe({ previewId }: Body<"resubscribe">) {
    if (status() === "deleted") return { ...show(), url: providerPages.checkout };
    if (status() === "paused") {
      if (!resumptions.has(previewId ?? "")) throw new AppError("preview_stale");
      charge(resume(account, unpaid, { confirmed: false }, now()));
      unpaid = null;
      person.workspaceIs({ status: instanceStatus.online });
    }
    write(setCancel(account, false, now()));
    return { ...show(), url: null };
  }

  const withRevision = <Details extends BillingDetails | null>(details: Details) => ({ details, revision: detailsRevision(details) });

  function saveDetails({ revision, ...details }: Body<"saveBillingDetails">) {
    const known = detailsRevision(account.customer.details);
    if (revision !== undefined && revision !== known && known !== detailsRevision(details)) throw new AppError("changed_elsewhere");
    account.customer.details = details;
    return withRevision(details);
  }

  async function nextPayment(): Promise<RouteAnswer<(typeof routes)["getNextPayment"]>> {
    const { subscription, customer } = account;
    if (status() === "paused" || status() === "deleted" || subscription.cancelsAtPeriodEnd) return { nextPayment: null };
    const items = scheduled ? await itemsOf(scheduled) : subscription.items;
    const { at, amount, lines, tax } = quoteOf(
      planChange(subscription, customer, items, "next-period", now()),
      subscription,
      customer,
      now(),
    ).nextRenewal;
    // While a sum is open, the next attempt to collect it, which is that of a whole period.
    const attempt = subscription.retries.find(({ outcome }) => outcome === "planned");
    return {
      nextPayment: { at: (attempt?.at ?? at).toISOString(), amount, tax: tax?.amount ?? { amount: 0, currency }, lines: [...lines!] },
    };
  }

  function cancel({ accountName }: Body<"cancelSubscription">) {
    const code = "account_name.confirmation";
    if (accountName !== state.user.account.name)
      throw new AppError("validation_failed", { errors: [{ path: "accountName", code, message: fieldMessage(code) }] });
    write(setCancel(account, true, now()));
    scheduled = null;
    return show();
  }

  const answers: Answers = {
    getSubscription: () => ({ subscription: view() }),
    getPayments: () => ({ payments: issued.flatMap(({ payments }) => payments).map(paymentView) }),
    getTransactions: () => ({ transactions: issued.map(({ row }) => transactionView(row)) }),
    getTransaction({ params: { id } }) {
      ownInvoice(id);
      return { invoice: sheets().find((sheet) => sheet.id === id)! };
    },
    getInvoice({ params: { id } }) {
      const { row, payments } = ownInvoice(id);
      const pdf = drawInvoice(row.document as InvoiceDocument, {
        status: row.status,
        received: sumOf(payments),
        last: payments[0] ?? null,
        corrections: [],
      });
      return new AnsweredFile(`${row.number}.pdf`, "application/pdf", pdf);
    },
    getPaymentInformation: () => ({
      paymentInformation: status() === "deleted" || !account.customer.card ? null : cardView(account.customer.card, now()),
    }),
    getNextPayment: nextPayment,
    getBillingDetails: () => withRevision(account.customer.details),
    saveBillingDetails: ({ body }) => saveDetails(body),
    changeCard: () => ({ url: providerPages.card }),
    previewChange: ({ body }) => quote(body),
    changePlan: ({ body }) => change(body),
    cancelScheduledChange() {
      scheduled = null;
      return show();
    },
    cancelSubscription: ({ body }) => cancel(body),
    previewResubscribe: quoteResubscription,
    resubscribe: ({ body }) => resubscribe(body),
    retryPayment: ({ body }) => retry(body),
  };
  Object.assign(person.answers, answers);
  write(first.turn);
  return {
    invoices: sheets,
    async changePlan(planId) {
      const { previewId, timing } = (await quote({ planId })).preview;
      change({ planId, previewId, timing });
    },
    writeDetails: (details) => void (account.customer.details = details),
    enterCard(entered) {
      account.customer.card = cardOf(entered, now());
      // The provider's page collects what is open.
      if (account.open) write(tryOpen(account, { occasion: "new-card", confirmed: false }, now()));
    },
    failRenewal() {
      const turns = passTo(account, now());
      if (turns.some(({ outcome }) => outcome.kind === "paid")) throw new Error("this card pays for the renewal");
      turns.forEach(write);
    },
    end(backup = "kept") {
      write(end(account, now()));
      state.user.account.instance = null;
      const keptUntil = after(now(), lastBackupDays * dayMs).toISOString();
      state.user.account.lastBackup = backup === "gone" ? null : { madeAt: now().toISOString(), keptUntil };
      show();
    },
    endUnannounced() {
      write(end(account, now()));
      person.workspaceIs({ status: instanceStatus.stopped, deletionAt: deletionAt()! });
      show();
    },
    pause() {
      const { subscription } = account;
      const from = subscription.periodEndsAt;
      // The time of the renewal has passed: its period was used as long as its card was tried.
      if (from <= now()) {
        Object.assign(subscription, nextPeriod(subscription, subscription.items.cycle));
        unpaid = { from, to: after(from, Math.max(...retryDays) * dayMs) };
      }
      Object.assign(subscription, { status: "paused", pausedAt: now() });
      person.workspaceIs({ status: instanceStatus.stopped, deletionAt: deletionAt()! });
      show();
    },
  };
}

/** What was charged. */
const sumOf = (payments: readonly PaymentRow[]): number =>
  payments.reduce((sum, { amount, status }) => (status === "succeeded" ? sum + amount : sum), 0);

function cardOf(number: string, now: Date): KeptCard {
  const card = findTestCard(number);
  if (!card) throw new Error(`the sandbox has no card ${number}`);
  return {
    brand: card.brand,
    behaviour: card.behaviour,
    lastFour: number.slice(-4),
    expiryMonth: 12,
    expiryYear: now.getUTCFullYear() + 10,
  };
}

const itemsOf = (plan: PlanFacts): Promise<Items> => priceItems(async () => priceOf(plan), purchaseOf(plan, null), currency);

const priceOf = ({ planId, name, period, recurringPrice, customQuotas }: PlanFacts): PlanPrice => ({
  id: planId,
  name,
  billingPeriod: period,
  recurringPrice,
  ...(customQuotas ? { customQuotas } : {}),
});
