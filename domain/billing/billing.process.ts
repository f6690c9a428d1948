/** A process that changes a plan, or runs what is due, for the test that kills it. Its one argument is JSON: BillingProcess. */
import type { PoolConfig } from "pg";
import { createSandboxProvider } from "#apps/payments-sandbox/create-sandbox-provider.ts";
import { planPrices } from "#apps/payments-sandbox/plan-prices.ts";
import { after, type Clock } from "#platform/clock.ts";
import { openDatabase } from "#platform/database.ts";
import { createLog } from "#platform/log.ts";
import { createSecrets } from "#platform/secrets.ts";
import type { Billing } from "./billing.ts";
import { confirmChange, type AgreedChange } from "./confirm-change.ts";
import { runDue } from "./run-timers.ts";

export interface BillingProcess {
  connection: PoolConfig;
  aheadMs: number;
  change: { accountId: string; agreed: AgreedChange; key: string } | null;
}

export const secretKey = "a key for tests, long enough to be one";

/** The same in the test and in the process that it kills. */
export function openBilling(connection: PoolConfig, aheadMs: () => number): Billing & { close(): Promise<void> } {
  const clock: Clock = { now: () => after(new Date(), aheadMs()) };
  const log = createLog("silent");
  const { db, close } = openDatabase(connection, log, 4);
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
    close,
  };
}

if (import.meta.main) {
  const { connection, aheadMs, change } = JSON.parse(process.argv[2] ?? "") as BillingProcess;
  const billing = openBilling(connection, () => aheadMs);
  await billing.db.execute("select 1");
  process.stdout.write("ready\n");
  process.stdin.once("data", () => {
    const work = change ? confirmChange(billing, change.accountId, change.agreed, { userId: null }, change.key) : runDue(billing);
    void work.then(() => process.exit(0));
  });
}
