/** The sandbox with everything needed by the provider suite and by tests built on a provider. */
import { createSandboxProvider } from "#payments/sandbox/create-sandbox-provider.ts";
import { deliverDue } from "#payments/sandbox/webhooks/deliver-webhooks.ts";
import { changeCard, confirmWaiting, payPurchase, type PageOutcome, type PageWorld } from "#payments/sandbox/site/pay-page.ts";
import { planPrices } from "#payments/sandbox/plan-prices.ts";
import { refundNewestInvoice } from "#payments/sandbox/calls/refund-invoice.ts";
import { runDue } from "#payments/sandbox/run-due.ts";
import { testCards, type CardBehaviour, type KeptCard } from "#payments/sandbox/test-cards.ts";
import { signatureHeader, signWebhook } from "#payments/sandbox/webhooks/webhook-signature.ts";
import { sandboxSubscriptions } from "#database/tables.ts";
import { readCatalogue } from "#domain/plans/catalogue.ts";
import { savePlans } from "#domain/plans/plan-store.ts";
import type { Database } from "#platform/database.ts";
import { createLog } from "#platform/log.ts";
import { eq } from "drizzle-orm";
import { createTestDatabase } from "../postgres.ts";
import type { ProviderHarness, RawWebhook, SuiteCard } from "./provider-suite/provider-harness.ts";
import { createTestClock, type TestClock } from "../test-clock.ts";

const secrets = {
  current: Buffer.from("the current secret"),
  previous: Buffer.from("the secret before it"),
  unknown: Buffer.from("nobody's"),
};
export const publicUrl = "http://localhost:3000";

export interface SandboxHarness extends ProviderHarness {
  db: Database;
  clock: TestClock;
  world: PageWorld;
}

export interface SandboxHarnessOptions {
  /** The test's existing database; its plans are applied. */
  db?: Database;
  clock?: TestClock;
  isTaxInclusive?: (currency: string) => boolean;
}

/** A sandbox whose loop runs on request, over its own database or the test's. */
export async function createSandboxHarness(options: SandboxHarnessOptions = {}): Promise<SandboxHarness> {
  const clock = options.clock ?? createTestClock();
  const own = options.db ? undefined : await createTestDatabase();
  const db = options.db ?? own!.db;
  if (own) await savePlans(db, readCatalogue(), clock.now());
  const findPrice = planPrices(db);
  const isTaxInclusive = options.isTaxInclusive ?? (() => false);
  const world: PageWorld = { db, findPrice, publicUrl, isTaxInclusive, now: () => clock.now() };
  const webhooks: RawWebhook[] = [];
  const webhookSecrets = [secrets.current, secrets.previous];
  const post = (headers: Record<string, string>, body: Buffer) => Promise.resolve(webhooks.push({ headers, body })).then(() => 200);
  return {
    db,
    clock,
    world,
    provider: createSandboxProvider({ db, clock, publicUrl, findPrice, webhookSecrets }),
    now: () => clock.now(),
    async advance(ms) {
      clock.advance(ms);
      await runDue(db, clock.now());
    },
    async pay({ checkoutId }, card, answer = "confirm") {
      const details = { name: "Ada Lovelace", country: "DE", postalCode: "10115", vatId: "" };
      const first = await payPurchase(world, checkoutId, { card: keptCard(card, clock.now()), details });
      return settle(first, answer, () => payPurchase(world, checkoutId, null), "paid");
    },
    async enterCard(url, card) {
      const id = lastSegment(url);
      return settle(await changeCard(world, id, keptCard(card, clock.now())), "confirm", () => changeCard(world, id, null), "kept");
    },
    async confirm(url) {
      const outcome = await confirmWaiting(world, lastSegment(url));
      if (outcome.kind !== "done") throw new Error(`confirming ended as ${outcome.kind}`);
    },
    async takeWebhooks() {
      await deliverDue({ db, clock, log: createLog("silent"), secrets: webhookSecrets, post });
      return webhooks.splice(0);
    },
    sign: (body, { at, secret }) => ({ [signatureHeader]: signWebhook([secrets[secret]], body, at) }),
    unknownEvent: () => Buffer.from(JSON.stringify({ id: "evt_new", type: "star.born", occurredAt: clock.now().toISOString(), data: {} })),
    setUnknownStatus: async (id) =>
      void (await db.update(sandboxSubscriptions).set({ status: "hibernating", dueAt: null }).where(eq(sandboxSubscriptions.id, id))),
    refundNewest: (customerId) => refundNewestInvoice(db, customerId, clock.now()),
    // Refunds need no approval here.
    agreeToRefunds: () => Promise.resolve(),
    disputeNewest: (customerId) => refundNewestInvoice(db, customerId, clock.now(), "bank"),
    pausedAfterMs: 7 * 86_400_000,
    triesOnRequest: true,
    closesPages: true,
    prorationTolerance: 0,
    [Symbol.asyncDispose]: async () => own?.close(),
  };
}

const lastSegment = (url: string): string => new URL(url).pathname.split("/").at(-1)!;

async function settle<Good extends string>(
  first: PageOutcome,
  answer: "confirm" | "fail",
  confirm: () => Promise<PageOutcome>,
  good: Good,
): Promise<Good | "declined"> {
  const last = first.kind === "challenge" && answer === "confirm" ? await confirm() : first;
  if (last.kind === "gone") throw new Error("the page is gone");
  return last.kind === "done" ? good : "declined";
}

const behaviours: Readonly<Record<SuiteCard, CardBehaviour>> = {
  visa: "pays",
  mastercard: "pays",
  declined: "declined",
  "insufficient-funds": "insufficient-funds",
  expired: "expired",
  "confirm-first": "confirm-first",
  "confirm-always": "confirm-always",
  "renewal-soft": "renewal-soft",
  "renewal-hard": "renewal-hard",
};

/** The test card that does this, valid for the next ten years. */
export function keptCard(card: SuiteCard, now: Date): KeptCard {
  const behaviour = behaviours[card];
  const found = testCards.find((test) => test.behaviour === behaviour && (behaviour !== "pays" || test.brand === card))!;
  return { brand: found.brand, lastFour: found.number.slice(-4), expiryMonth: 12, expiryYear: now.getUTCFullYear() + 10, behaviour };
}
