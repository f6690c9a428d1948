/** Parts of the program that exist only with the payment sandbox: a movable clock, the sandbox's pages, and its loop. */
import { dueRows } from "#domain/journeys/move-clock/due-rows.ts";
import type { TimeTravel } from "#domain/journeys/move-clock/move-clock.ts";
import { readClockAhead } from "#domain/service-clock/service-clock-store.ts";
import { createMovableClock, type MovableClock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Secrets } from "#platform/secrets.ts";
import type { WakeLoop } from "#platform/loops/wake-loop.ts";
import type { Config } from "../settings/config.ts";
import { planPrices } from "#payments/sandbox/plan-prices.ts";
import { nextSubscriptionDue } from "#payments/sandbox/sandbox-rows.ts";
import type { SandboxSite } from "#payments/sandbox/site/page-answers.ts";
import { startSandbox } from "#payments/sandbox/start-sandbox.ts";
import { nextWebhookDue } from "#payments/sandbox/webhooks/webhook-store.ts";
import { sandboxWebhookSecrets } from "#payments/sandbox/sandbox-kind.ts";
import { postWebhookTo } from "../front-door/post-webhook.ts";
import { doorOf } from "../front-door/probe-workspace.ts";

/** The clock, as far ahead as it was last moved. Null in production and with a real provider, where the machine's time applies. */
export async function openMovableClock(config: Config, db: Database): Promise<MovableClock | null> {
  if (config.production || config.payments.provider !== "sandbox") return null;
  const clock = createMovableClock();
  clock.setAhead(await readClockAhead(db));
  return clock;
}

export interface SandboxParts {
  config: Config;
  db: Database;
  clock: MovableClock;
  secrets: Secrets;
  log: Log;
  /** Wakes every loop of this process. */
  wake(): void;
}

/** The sandbox's pages and controls. */
export function sandboxSite({ config, db, clock, wake }: SandboxParts): SandboxSite {
  const { publicUrl } = config;
  return {
    db,
    clock,
    wake,
    publicUrl,
    findPrice: planPrices(db),
    isTaxInclusive: () => false,
    now: () => clock.now(),
    merchant: config.seller.name,
    panelUrl: `${publicUrl}/`,
  };
}

/** The movable clock and all rows, the service's and the sandbox's, that wait for a time. */
export function timeTravel({ db, clock, wake }: SandboxParts): TimeTravel {
  const sandbox = [{ nextDueAt: () => nextSubscriptionDue(db) }, { nextDueAt: () => nextWebhookDue(db) }];
  return { clock, wake, dueWork: [...dueRows(db), ...sandbox] };
}

/** Starts the sandbox's renewals, payment retries and webhooks, as a part of the worker. */
export function startPaymentSandbox({ config, db, clock, secrets, log }: SandboxParts): WakeLoop {
  return startSandbox({
    db,
    clock,
    log,
    webhookSecrets: sandboxWebhookSecrets(secrets),
    post: postWebhookTo(doorOf(config, "api"), config.panelHost),
  });
}
