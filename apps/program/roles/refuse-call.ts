/** Which calls of a sleeping workspace's webhooks the gateway answers on its behalf: those that none of its workflows would take. */
import type { KnownCall, WebhookPath } from "#domain/workspaces/webhooks/sleeping-webhooks.ts";
import { secondMs } from "#platform/clock.ts";
import { within } from "#platform/loops/within.ts";
import type { RefuseCall } from "../../gateway/create-gateway.ts";
import type { EngineSleepingCalls } from "../../provisioner/engines/engine.ts";

/** A slower database counts as hanging, as for routes. */
const lookUpMs = 2 * secondMs;
/** Beyond these, calls wake their workspaces: a flood of them must not become a flood of queries. */
const mostAtOnce = 100;
/** One account's flood must leave the others' calls their lookups. */
const mostOfAnAccount = 5;

export function createRefuseCall(
  calls: EngineSleepingCalls,
  lookUp: (accountName: string, call: WebhookPath) => Promise<KnownCall | null>,
): RefuseCall {
  let asked = 0;
  const askedOf = new Map<string, number>();
  return (accountName, method, url) => {
    const call = calls.read(method, url);
    const ofAccount = askedOf.get(accountName) ?? 0;
    if (call === null || asked >= mostAtOnce || ofAccount >= mostOfAnAccount) return null;
    asked += 1;
    askedOf.set(accountName, ofAccount + 1);
    return within(lookUpMs, "the lookup of a webhook", lookUp(accountName, call))
      .then((known) => known && calls.refuse(call, known))
      .finally(() => {
        asked -= 1;
        const left = askedOf.get(accountName)! - 1;
        if (left > 0) askedOf.set(accountName, left);
        else askedOf.delete(accountName);
      });
  };
}
