/** A shop with each provider, and what the seller's staff can do in that provider's dashboard, without us. */
import { sandboxSubscriptions } from "#database/tables.ts";
import { emitEvent } from "#payments/sandbox/webhooks/emit-event.ts";
import {
  selectInvoices,
  findSubscription,
  holdCustomer,
  insertSubscription,
  sandboxId,
  updateCustomer,
  updateSubscription,
} from "#payments/sandbox/sandbox-rows.ts";
import { toSecond } from "#payments/ledger/billing-cycle.ts";
import { priceItems, type Items } from "#payments/ledger/items.ts";
import { buy } from "#payments/ledger/ledger.ts";
import { carryOut } from "#payments/sandbox/carry-out.ts";
import { bankOf } from "#payments/sandbox/test-cards.ts";
import { showInvoice } from "./fake-paddle/transaction-calls.ts";
import { createPaddleHarness, type PaddleHarness } from "./paddle-harness.ts";
import { createSandboxHarness, type SandboxHarness, type SandboxHarnessOptions } from "./sandbox-harness.ts";
import type { ProviderHarness } from "./provider-suite/provider-harness.ts";
import { createStripeHarness, type StripeHarness } from "./stripe-harness.ts";
import * as atStripe from "./fake-stripe/stripe-staff.ts";
import { isQuickRun } from "../this-run.ts";
import { createTestShop, type TestShop } from "./test-shop.ts";

export interface Staff {
  /** Sells the customer a plan of the catalogue, or something else, with its first payment; returns the subscription's id. */
  sell(customerId: string, what: string): Promise<string>;
  /** Changes the plan. */
  changePlan(subscriptionId: string, planId: string): Promise<void>;
  /** Adds an item beside the plan; absent where a subscription has only a plan. */
  addItem?(subscriptionId: string): Promise<void>;
  /** The items beside the plan. */
  othersOn?(subscriptionId: string): string[];
  /** Takes this percentage off each payment from now on; absent where there are no coupons. */
  addCoupon?(subscriptionId: string, percentOff: number): Promise<void>;
  /** Gives the plan another price per period, in minor units, with the plan's metadata. */
  setPrice(subscriptionId: string, planId: string, amount: number): Promise<void>;
  /** Charges the customer for something of no subscription; absent where that is not possible. */
  invoiceByHand?(customerId: string, label: string, amount: number): Promise<void>;
  /** Gives credit in minor units. */
  giveCredit(customerId: string, amount: number): Promise<void>;
  pauseOnRequest(subscriptionId: string): Promise<void>;
  /** Gives free days until this time. */
  moveTrialEnd(subscriptionId: string, at: Date): Promise<void>;
  cancelNow(subscriptionId: string): Promise<void>;
}

export interface StaffedShop {
  shop: TestShop;
  staff: Staff;
}

export async function openStripeShop(): Promise<StaffedShop & { stripe: StripeHarness }> {
  let stripe: StripeHarness | undefined;
  const shop = await createTestShop({}, async (options) => (stripe = await createStripeHarness(options)));
  const { state, provider } = stripe!;
  const priceOf = (what: string) => atStripe.priceOfEntry(state, what) ?? atStripe.foreignPrice(state, what, 595_000);
  const staff: Staff = {
    sell: (customerId, what) => Promise.resolve(atStripe.sell(state, customerId, priceOf(what)).id),
    changePlan: (id, planId) => Promise.resolve(atStripe.changePlan(state, id, priceOf(planId))),
    addItem: (id) => Promise.resolve(atStripe.addItem(state, id, atStripe.foreignPrice(state, "support", 9_900))),
    othersOn: (id) =>
      state.subscriptions
        .get(id)!
        .items.map(({ price }) => state.prices.get(price)!)
        .flatMap(({ metadata, label }) => (metadata["slipway"] ? [] : [label])),
    addCoupon: (id, percentOff) => Promise.resolve(atStripe.addCoupon(state, id, percentOff)),
    setPrice: (id, planId, amount) => {
      const price = atStripe.foreignPrice(state, `special ${planId}`, amount);
      Object.assign(price, { entry: planId, metadata: { slipway: planId } });
      return Promise.resolve(atStripe.changePlan(state, id, price));
    },
    invoiceByHand: (customerId, label, amount) => Promise.resolve(atStripe.invoiceByHand(state, customerId, label, amount)),
    giveCredit: (customerId, amount) => Promise.resolve(atStripe.giveCredit(state, customerId, amount)),
    pauseOnRequest: (id) => Promise.resolve(atStripe.pauseOnRequest(state, id)),
    moveTrialEnd: (id, at) => Promise.resolve(atStripe.moveTrialEnd(state, id, at)),
    cancelNow: async (id) => void (await provider.cancelNow(id, `staff ${id}`)),
  };
  return { shop, staff, stripe: stripe! };
}

/** The sandbox, or the fake Paddle over its tables. */
async function openShopOver(
  open: (options: SandboxHarnessOptions) => Promise<ProviderHarness & Pick<SandboxHarness, "db" | "world">>,
): Promise<StaffedShop> {
  let harness: Awaited<ReturnType<typeof open>> | undefined;
  const shop = await createTestShop({}, async (options) => (harness = await open(options)));
  const { db, world, provider } = harness!;
  const now = () => harness!.now();
  const itemsOf = async (what: string, currency: string): Promise<Items> => {
    const purchase = { planId: what, extraExecutionUnits: 0, extraWorkflowUnits: 0 };
    if (await world.findPrice(what)) return priceItems(world.findPrice, purchase, currency);
    const none = { executionUnitAmount: 0, executionsPerUnit: 0, workflowUnitAmount: 0 };
    return { purchase, planName: what, cycle: { unit: "month", count: 1 }, currency, planAmount: 595_000, ...none };
  };
  const change = async (id: string, changes: Partial<typeof sandboxSubscriptions.$inferInsert>, type = "subscription.updated" as const) => {
    await db.transaction(async (tx) => {
      const { customerId, accountId } = await updateSubscription(tx, id, changes as never, now());
      await emitEvent(tx, type, { subscriptionId: id, customerId, accountId }, { at: now(), now: now() });
    });
  };
  const staff: Staff = {
    sell: (customerId, what) =>
      db.transaction(async (tx) => {
        const customer = await holdCustomer(tx, customerId);
        const items = await itemsOf(what, customer.currency);
        const bank = bankOf(customer.card);
        const { subscription: begun, turn } = buy(
          { customer, bank, items, taxInclusive: false },
          { occasion: "new-card", confirmed: true },
          now(),
        );
        const about = { id: sandboxId("sub"), customerId, accountId: customer.accountId, createdAt: now(), changedAt: now() };
        const subscription = await insertSubscription(tx, { ...begun, ...about });
        await carryOut(tx, { subscription, customer }, turn, { at: begun.periodStartsAt, now: now() });
        return subscription.id;
      }),
    async changePlan(id, planId) {
      const items = await itemsOf(planId, (await findSubscription(db, id))!.currency);
      await change(id, { items, paidItems: items });
    },
    async setPrice(id, planId, amount) {
      const items = { ...(await itemsOf(planId, (await findSubscription(db, id))!.currency)), planAmount: amount };
      await change(id, { items, paidItems: items });
    },
    giveCredit: async (customerId, credit) => {
      await db.transaction(async (tx) => {
        const { accountId } = await updateCustomer(tx, customerId, { credit });
        await emitEvent(tx, "customer.updated", { customerId, accountId }, { at: now(), now: now() });
      });
    },
    pauseOnRequest: (id) => change(id, { status: "paused", pausedAt: now(), dueAt: null }),
    moveTrialEnd: (id, at) =>
      change(id, {
        status: "trialing",
        anchorAt: at,
        periodNumber: -1,
        periodStartsAt: toSecond(now()),
        periodEndsAt: at,
        dueAt: at,
      }),
    cancelNow: async (id) => void (await provider.cancelNow(id, `staff ${id}`)),
  };
  return { shop, staff };
}

export async function openPaddleShop(): Promise<StaffedShop & { paddle: PaddleHarness }> {
  let paddle: PaddleHarness | undefined;
  const opened = await openShopOver(async (options) => (paddle = await createPaddleHarness(options)));
  const { others, discounts, byHand } = paddle!.fake;
  return {
    ...opened,
    paddle: paddle!,
    staff: {
      ...opened.staff,
      addItem: (id) => Promise.resolve(void others.set(id, ["support"])),
      othersOn: (id) => others.get(id) ?? [],
      async addCoupon(id, percent) {
        const { items } = (await findSubscription(paddle!.db, id))!;
        const whole = items.planAmount;
        discounts.set(id, { percent, since: paddle!.now() });
        await opened.staff.setPrice(id, items.purchase.planId, Math.round((whole * (100 - percent)) / 100));
      },
      async invoiceByHand(customerId, label, amount) {
        const [like] = await selectInvoices(paddle!.db, customerId);
        const lines = [{ label, quantity: 1, amount: { amount, currency: like!.currency }, isProration: false }];
        const made = await showInvoice(paddle!.fake, { ...like!, lines, total: amount, tax: null, creditUsed: 0 }, transactionParts);
        byHand.set(customerId, [{ ...made, id: sandboxId("txn"), subscription_id: null, origin: "api", collection_mode: "manual" }]);
        await emitEvent(paddle!.db, "customer.updated", { customerId, accountId: "" }, { at: paddle!.now(), now: paddle!.now() });
      },
    },
  };
}

const transactionParts: ReadonlySet<string> = new Set(["adjustment", "address", "business", "customer"]);

const allShops = [
  ["Stripe", openStripeShop],
  ["Paddle", openPaddleShop],
  ["the sandbox", () => openShopOver(createSandboxHarness)],
] as const satisfies readonly (readonly [string, () => Promise<StaffedShop>])[];

/** For `test.each` of what is the same at each provider: Stripe and, in `npm run test:all`, also the others. */
export const staffedShops = isQuickRun ? allShops.slice(0, 1) : allShops;

/** The account's subscription at the provider. */
export async function heldAt(
  { shop }: StaffedShop,
  email: unknown,
): Promise<{ accountId: string; customerId: string; subscriptionId: string }> {
  const { rows } = await shop.api.database.pool.query(
    `select s.account_id, s.provider_customer_id, s.provider_subscription_id
     from subscriptions s join users u on u.account_id = s.account_id where u.email = $1`,
    [email],
  );
  const [row] = rows as Record<string, string>[];
  return { accountId: row!["account_id"]!, customerId: row!["provider_customer_id"]!, subscriptionId: row!["provider_subscription_id"]! };
}
