/**
 * Stories that the adapter must get right at the real Stripe: `npm test` runs them against the fake, `npm run
 * test:stripe` against a real test account.
 */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import {
  PaymentActionRequired,
  PaymentDeclined,
  type ChangeRequest,
  type PaymentProvider,
  type ProviderSubscription,
} from "#payments/payment-provider.ts";
import { after, hourMs } from "#platform/clock.ts";

/** A Stripe, real or fake, whose time can be moved. */
export interface StripeLab extends AsyncDisposable {
  provider: PaymentProvider;
  now(): Date;
  /** Ids of plans with prices there: 60.00 and 140.00 a month, and 600.00 a year. */
  plans: { month: string; dearMonth: string; year: string };
  /** A new customer who has paid for a plan with a Visa saved on the subscription. */
  subscribe(planId: string): Promise<ProviderSubscription>;
  /** Gives the subscription a card whose bank asks for confirmation of every payment, or refuses every payment. */
  useCard(subscription: ProviderSubscription, card: "asks" | "refuses"): Promise<void>;
  /** Saves a new Mastercard on the customer, as the portal does. */
  giveCard(subscription: ProviderSubscription): Promise<void>;
  /** Moves a plan's lookup key to a new price of twice the amount. */
  raise(planId: string): Promise<void>;
  /** Moves time; what is due by then has happened when it resolves. */
  passTo(at: Date): Promise<void>;
}

export function tellStories(open: () => Promise<StripeLab>): void {
  const buy = (planId: string) => ({ planId, extraExecutionUnits: 0, extraWorkflowUnits: 0 });

  async function change(
    { provider }: StripeLab,
    { id: subscriptionId }: ProviderSubscription,
    planId: string,
    billing: ChangeRequest["billing"],
  ): Promise<ProviderSubscription> {
    const request = { subscriptionId, purchase: buy(planId), billing };
    const { quotedAt, dueNow } = await provider.previewChange(request, null);
    return provider.change(request, { quotedAt, expectedDueNow: dueNow }, randomUUID());
  }

  const read = async ({ provider }: StripeLab, { id }: ProviderSubscription) => (await provider.readSubscription(id))!;
  /** Before tax, newest first. */
  const charged = async ({ provider }: StripeLab, { customerId }: ProviderSubscription) =>
    (await provider.listInvoices(customerId)).map(({ lines }) => lines.reduce((sum, { amount }) => sum + amount.amount, 0));
  const renewal = async (lab: StripeLab, { periodEndsAt }: ProviderSubscription) => lab.passTo(after(periodEndsAt, 2 * hourMs));

  test("at Stripe, an upgrade costs the difference for the rest of the period and is made once", async () => {
    await using lab = await open();
    const before = await lab.subscribe(lab.plans.month);
    expect(await change(lab, before, lab.plans.dearMonth, "now")).toMatchObject({
      status: "active",
      purchase: buy(lab.plans.dearMonth),
      periodEndsAt: before.periodEndsAt,
    });
    expect(await charged(lab, before)).toHaveLength(2);
  });

  test("at Stripe, a yearly plan becomes monthly when the year ends and costs nothing before", async () => {
    await using lab = await open();
    const before = await lab.subscribe(lab.plans.year);
    expect(await change(lab, before, lab.plans.month, "next-period")).toMatchObject({
      purchase: buy(lab.plans.month),
      periodEndsAt: before.periodEndsAt,
    });
    expect(await charged(lab, before)).toEqual([60_000]);
    await renewal(lab, before);
    expect(await read(lab, before)).toMatchObject({ status: "active", purchase: buy(lab.plans.month) });
    expect(await charged(lab, before)).toEqual([6000, 60_000]);
  });

  test("at Stripe, a change from yearly to monthly can be undone until then", async () => {
    await using lab = await open();
    const before = await lab.subscribe(lab.plans.year);
    await change(lab, before, lab.plans.month, "next-period");
    expect((await change(lab, before, lab.plans.year, "next-period")).purchase).toEqual(buy(lab.plans.year));
    expect((await lab.provider.nextPayment(before.id))?.lines.reduce((sum, { amount }) => sum + amount.amount, 0)).toBe(60_000);
  });

  test("at Stripe, existing customers are not charged a raised price", async () => {
    await using lab = await open();
    const before = await lab.subscribe(lab.plans.month);
    await lab.raise(lab.plans.month);
    expect((await read(lab, before)).purchase).toEqual(buy(lab.plans.month));
    await renewal(lab, before);
    expect(await charged(lab, before)).toEqual([6000, 6000]);
  });

  test("at Stripe, a bank's question about an upgrade is answered at a page, and a refused card leaves nothing open", async () => {
    await using lab = await open();
    const before = await lab.subscribe(lab.plans.month);
    await lab.useCard(before, "asks");
    const refusal: unknown = await change(lab, before, lab.plans.dearMonth, "now").catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(PaymentActionRequired);
    expect((refusal as PaymentActionRequired).url).toMatch(/^https:\/\/invoice\.stripe\.com\//);
    await lab.useCard(before, "refuses");
    await expect(change(lab, before, lab.plans.dearMonth, "now")).rejects.toThrow(PaymentDeclined);
    expect(await read(lab, before)).toMatchObject({ status: "active", purchase: buy(lab.plans.month) });
    expect(await charged(lab, before)).toEqual([6000]);
  });

  test("at Stripe, a card saved on the customer is charged from then on", async () => {
    await using lab = await open();
    const before = await lab.subscribe(lab.plans.month);
    await lab.giveCard(before);
    expect((await read(lab, before)).card?.brand).toBe("mastercard");
    await renewal(lab, before);
    expect((await lab.provider.listInvoices(before.customerId))[0]).toMatchObject({
      status: "paid",
      payments: [{ card: { brand: "mastercard" } }],
    });
  });

  test("at Stripe, a cancellation takes effect at the period's end and can be undone until then", async () => {
    await using lab = await open();
    const before = await lab.subscribe(lab.plans.month);
    expect((await lab.provider.cancelAtPeriodEnd(before.id, randomUUID())).cancelAt).toEqual(before.periodEndsAt);
    expect((await lab.provider.undoCancel(before.id, randomUUID())).cancelAt).toBeNull();
    await lab.provider.cancelAtPeriodEnd(before.id, randomUUID());
    await renewal(lab, before);
    expect((await read(lab, before)).status).toBe("deleted");
  });
}
