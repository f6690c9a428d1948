/** A process that carries out one action on a subscription, for the tests that kill it. Its one argument is JSON: BillingProcess. */
import type { PoolConfig } from "pg";
import type { Billing } from "#domain/billing/billing.ts";
import { completeCheckout } from "#domain/billing/purchases/checkout/complete-checkout.ts";
import { confirmChange, type AgreedChange } from "#domain/billing/purchases/change/confirm-change.ts";
import { runDue } from "#domain/billing/subscription/run-timers.ts";
import { startCheckout } from "#domain/billing/purchases/checkout/start-checkout.ts";
import { createSandboxProvider } from "#payments/sandbox/create-sandbox-provider.ts";
import { planPrices } from "#payments/sandbox/plan-prices.ts";
import { after, type Clock } from "#platform/clock.ts";
import { openDatabase } from "#platform/database.ts";
import { createLog } from "#platform/log.ts";
import { createSecrets } from "#platform/secrets.ts";

export interface BillingProcess {
  connection: PoolConfig;
  aheadMs: number;
  task: BillingTask;
}

export type BillingTask =
  | { kind: "change"; accountId: string; agreed: AgreedChange; key: string }
  | { kind: "start-checkout"; accountId: string; planId: string; key: string }
  | { kind: "complete-checkout"; accountId: string }
  | { kind: "run-due" };

const secretKey = "a key for tests, long enough to be one";

/** Shared by the test and the process that it kills. */
export function openBilling(connection: PoolConfig, aheadMs: () => number): Billing & { close(): Promise<void> } {
  const clock: Clock = { now: () => after(new Date(), aheadMs()) };
  const log = createLog("silent");
  const { db, close } = openDatabase(connection, log, { max: 4 });
  const publicUrl = "http://localhost:3000";
  return {
    db,
    clock,
    log,
    secrets: createSecrets(secretKey),
    provider: createSandboxProvider({ db, clock, publicUrl, findPrice: planPrices(db), webhookSecrets: [Buffer.from("a secret")] }),
    publicUrl,
    renderMail: ({ name, email }) => Promise.resolve({ recipient: email, subject: name, text: "", html: "" }),
    settlePayments: () => Promise.resolve(),
    leastNoticeMs: 0,
    lastBackupDays: 30,
    close,
  };
}

if (import.meta.main) {
  const { connection, aheadMs, task } = JSON.parse(process.argv[2] ?? "") as BillingProcess;
  const billing = openBilling(connection, () => aheadMs);
  await billing.db.execute("select 1");
  process.stdout.write("ready\n");
  process.stdin.once("data", () => void perform(billing, task).then(() => process.exit(0)));
}

function perform(billing: Billing, task: BillingTask): Promise<unknown> {
  switch (task.kind) {
    case "change":
      return confirmChange(billing, task.accountId, task.agreed, { userId: null }, task.key);
    case "start-checkout":
      return startCheckout(billing, task.accountId, { planId: task.planId, quotas: null, currency: null }, { userId: null }, task.key);
    case "complete-checkout":
      return completeCheckout(billing, task.accountId);
    case "run-due":
      return runDue(billing);
  }
}
