/** Writes the dump of a release. Two customers use the product: one uses a running program with a workspace, the other buys and pays. */
import { writeFileSync } from "node:fs";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { releasedKey, releasedOwner } from "#database/releases/released.ts";
import { dayMs } from "#platform/clock.ts";
import { ask } from "../ask.ts";
import { createTestShop, germanDetails, startSubscriber, type TestShop } from "../payments/test-shop.ts";
import { startSlipway } from "../program/start-slipway.ts";
import { waitFor } from "../wait-for.ts";
import { countRows, dumpDatabase } from "./release-dump.ts";

/** Tables that only a real engine fills, that have rows only for seconds, or only after something went wrong or was undone. */
const mayBeEmpty = new Set([
  "attempts",
  "audit_outbox",
  "billing_findings",
  "billing_lanes",
  "blanks",
  "call_counts",
  "corrections",
  "exchange_rates",
  "exports",
  "fleet_update_workspaces",
  "fleet_updates",
  "gateway_counts",
  "held_refunds",
  "leases",
  "renewal_notices",
  "restores",
  "sleeping_webhooks",
  "usage_checks",
  "usage_counters",
  "usage_days",
  "used_challenges",
  "webhook_calls",
  "workspace_hours",
  "workspace_memory",
  "workspace_updates",
]);

/** Writes it to `file`. Throws if a table has no row that should have one: use what fills it in this file. */
export async function writeReleaseDump(version: string, file: URL): Promise<void> {
  await using shop = await createTestShop();
  await runWorkspace(shop);
  const buyer = await startSubscriber(shop, "pro-1-monthly");
  await buyer.call("PUT", "/account/billing/details", { body: germanDetails });
  await shop.pass(2 * dayMs);
  const counts = await countRows(shop.api.database.pool);
  const empty = Object.keys(counts).filter((name) => counts[name] === 0 && !mayBeEmpty.has(name));
  if (empty.length > 0) throw new Error(`no rows in ${empty.join(", ")}`);
  const heading = `Slipway ${version}, made by npm run release. SECRET_KEY and the owner are in database/releases/released.ts.`;
  writeFileSync(file, await dumpDatabase(shop.api.database.pool, heading));
}

/** A customer of a running program: everything that a worker writes. */
async function runWorkspace(shop: TestShop): Promise<void> {
  await using slipway = await startSlipway({ env: { DATABASE_URL: shop.api.database.url, SECRET_KEY: releasedKey } });
  const owner = await slipway.launch({ accountName: releasedOwner.accountName });
  await slipway.until(owner, ({ status }) => status === instanceStatus.online);
  await ask(`${slipway.workspaceUrl(owner.accountName)}/webhook/order`, { method: "POST", body: "order 1" });
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await slipway.call(method, `/api${path}`, { token: owner.token, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  await call("POST", "/account/invite-members", { emails: ["mate@example.com"] });
  await call("POST", "/export/backups");
  await waitFor(
    async () => {
      if (!(await call("GET", "/export")).text.includes('"successful"')) throw new Error("there is no backup yet");
    },
    { timeout: 60_000, interval: 250 },
  );
  await call("POST", "/personalization-survey/answer", {});
  await call("GET", "/instance/logs");
  await slipway.signal("SIGTERM");
}
