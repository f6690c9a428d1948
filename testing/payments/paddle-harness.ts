/** The Paddle adapter with a fake Paddle on loopback, for the provider suite: the sandbox's tables, in Paddle's wire format. */
import { createHmac } from "node:crypto";
import type { CountCalls } from "#payments/paddle/paddle-meter.ts";
import { createPaddleProvider } from "#payments/paddle/create-paddle-provider.ts";
import { emitEvent, type EventPayload } from "#payments/sandbox/webhooks/emit-event.ts";
import { changeCard } from "#payments/sandbox/site/pay-page.ts";
import {
  findCustomer,
  findSubscription,
  insertCustomer,
  sandboxId,
  selectInvoices,
  updateCustomer,
  updateSubscription,
} from "#payments/sandbox/sandbox-rows.ts";
import { startFakePaddle } from "./fake-paddle/start-fake-paddle.ts";
import type { FakeWorld } from "./fake-paddle/paddle-world.ts";
import { billWaiting, showSubscription } from "./fake-paddle/subscription-calls.ts";
import { adjust, approveRefunds, convertPage, showTransaction } from "./fake-paddle/transaction-calls.ts";
import type { ProviderHarness, RawWebhook } from "./provider-suite/provider-harness.ts";
import { createSandboxHarness, keptCard, publicUrl, type SandboxHarness, type SandboxHarnessOptions } from "./sandbox-harness.ts";

const apiKey = "pdl_loopback_key";
const secrets = { current: "pdl_ntfset_current", previous: "pdl_ntfset_previous", unknown: "pdl_ntfset_nobodys" };

const sign = (body: Buffer, at: Date, secret: string): Record<string, string> => {
  const ts = Math.floor(at.getTime() / 1000);
  return { "paddle-signature": `ts=${ts};h1=${createHmac("sha256", secret).update(`${ts}:`).update(body).digest("hex")}` };
};

/** From the sandbox's event types to Paddle's. */
const types: Readonly<Record<string, string>> = {
  "checkout.completed": "transaction.paid",
  "payment.succeeded": "transaction.completed",
  "payment.failed": "transaction.payment_failed",
  "payment.action_required": "transaction.payment_failed",
  "payment.refunded": "adjustment.created",
  "payment.disputed": "adjustment.created",
};

export interface PaddleHarness extends ProviderHarness, Pick<SandboxHarness, "db" | "world"> {
  fake: FakeWorld;
  /** Paddle's staff refund part of the newest paid invoice; minor units. */
  refundPart(customerId: string, amount: number): Promise<void>;
  /** Paddle's staff give the customer credit; minor units. */
  giveCredit(customerId: string, amount: number): Promise<void>;
  /** Moves the subscription to a new customer, with another card; returns the customer's id. */
  moveToNewCustomer(subscriptionId: string): Promise<string>;
  /** Makes the subscription's custom data name another account. */
  giveTo(subscriptionId: string, accountId: string): Promise<void>;
}

interface PaddleHarnessOptions extends SandboxHarnessOptions {
  gathersMs?: number;
  countCalls?: CountCalls;
  onDebtRefused?: (subscriptionId: string) => void;
}

/** `options` are passed to the sandbox behind it. */
export async function createPaddleHarness(options: PaddleHarnessOptions = {}): Promise<PaddleHarness> {
  const sandbox = await createSandboxHarness(options);
  const world: FakeWorld = {
    harness: sandbox,
    kept: new Map(),
    pages: new Map(),
    adjustments: new Map(),
    others: new Map(),
    products: new Map(),
    waiting: new Map(),
    refusesCharges: false,
    chargeFault: null,
    discounts: new Map(),
    byHand: new Map(),
    archived: new Set(),
    customData: new Map(),
    unanswered: [],
    together: null,
    archivedPrices: new Set(),
    asked: [],
    mostPerMinute: null,
    converts: false,
  };
  const fake = await startFakePaddle(world, apiKey);
  const { clock } = sandbox;

  const toPaddle = async (raw: RawWebhook): Promise<RawWebhook> => {
    const { id, type, occurredAt, data } = JSON.parse(raw.body.toString("utf8")) as EventPayload;
    const object = await objectOf(world, type, data);
    const body = Buffer.from(
      JSON.stringify({
        event_id: id,
        event_type: types[type] ?? type,
        occurred_at: occurredAt,
        notification_id: `ntf_${id}`,
        data: object,
      }),
    );
    return { body, headers: sign(body, sandbox.now(), secrets.current) };
  };

  return {
    ...sandbox,
    provider: createPaddleProvider({
      apiKey,
      environment: "sandbox",
      webhookSecrets: [secrets.current, secrets.previous],
      clock,
      publicUrl,
      apiUrl: fake.url,
      // A test that says nothing else hands its events over one after another, and looks at what came of them without waiting.
      gathersMs: options.gathersMs ?? 0,
      countCalls: options.countCalls,
      onDebtRefused: options.onDebtRefused,
    }),
    async advance(ms) {
      const since = sandbox.now();
      await sandbox.advance(ms);
      await billWaiting(world, since);
    },
    triesOnRequest: false,
    closesPages: false,
    fake: world,
    async pay({ checkoutId, url }, ...rest) {
      const id = checkoutId.replace("txn_", "");
      if (world.converts) await convertPage(world, id, "DE");
      return sandbox.pay({ checkoutId: id, url }, ...rest);
    },
    agreeToRefunds: () => approveRefunds(world),
    async refundPart(customerId, amount) {
      const newest = (await selectInvoices(sandbox.db, customerId)).find(({ status }) => status === "paid");
      await adjust(world, newest!, { id: sandboxId("adj"), action: "refund", status: "approved", amount });
    },
    giveCredit: async (customerId, credit) => void (await updateCustomer(sandbox.db, customerId, { credit })),
    async moveToNewCustomer(id) {
      const [at, before] = [sandbox.now(), (await findSubscription(sandbox.db, id))!];
      const { email, name, currency, details } = (await findCustomer(sandbox.db, before.customerId))!;
      const card = keptCard("mastercard", at);
      const moved = {
        id: sandboxId("ctm"),
        accountId: "",
        email: `invoices-${email}`,
        name,
        currency,
        details,
        card,
        credit: 0,
        createdAt: at,
      };
      await insertCustomer(sandbox.db, moved);
      await updateSubscription(sandbox.db, id, { customerId: moved.id } as never, at);
      const about = { subscriptionId: id, customerId: moved.id, accountId: before.accountId };
      await emitEvent(sandbox.db, "subscription.updated", about, { at, now: at });
      return moved.id;
    },
    giveTo: async (id, accountId) => void (await updateSubscription(sandbox.db, id, { accountId }, sandbox.now())),
    // Paddle's page takes the card again and lets its bank ask.
    async confirm(url) {
      const id = new URL(url).pathname.split("/").at(-1)!;
      await changeCard(sandbox.world, id, keptCard("confirm-always", sandbox.now()));
      await changeCard(sandbox.world, id, null);
    },
    takeWebhooks: async () => Promise.all((await sandbox.takeWebhooks()).map(toPaddle)),
    sign: (body, { at, secret }) => sign(body, at, secrets[secret]),
    unknownEvent: () =>
      Buffer.from(
        JSON.stringify({
          event_id: "evt_new",
          event_type: "star.born",
          occurred_at: clock.now().toISOString(),
          notification_id: "ntf_new",
          data: { id: "star_1" },
        }),
      ),
    [Symbol.asyncDispose]: async () => {
      await fake.close();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

async function objectOf(world: FakeWorld, type: string, data: EventPayload["data"]): Promise<object> {
  const { subscriptionId, customerId, accountId } = data;
  if (type === "checkout.completed")
    return {
      id: `txn_${String(data["checkoutId"])}`,
      subscription_id: subscriptionId,
      customer_id: customerId,
      custom_data: { accountId },
    };
  if (type === "customer.updated") return { id: customerId, custom_data: { accountId } };
  if (type.startsWith("adjustment.")) return { id: data["adjustmentId"], customer_id: customerId, subscription_id: subscriptionId };
  if (type === "payment.refunded" || type === "payment.disputed")
    return {
      id: "adj_fake",
      action: type === "payment.refunded" ? "refund" : "chargeback",
      customer_id: customerId,
      subscription_id: subscriptionId,
    };
  if (type.startsWith("payment.")) return showTransaction(world, String(data["invoiceId"]));
  return showSubscription(world, subscriptionId!);
}
