/**
 * Once the plan's executions are used, or too many wait their turn, calls of webhooks, forms and MCP servers are refused before anything runs,
 * in the caller's format. n8n itself would answer 500 and save a failed execution for each.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { sendBusyCall, sendRefusedCall } from "../../../workspace-side/refused-call.mts";
import type { Internals } from "../internals.mts";
import type { Concurrency } from "./concurrency.mts";
import type { Quota } from "./quota.mts";
import type { RefusalHistory } from "./refusal-history.mts";

const underWay = new AsyncLocalStorage<{ refused: boolean; begin: () => void }>();

/** Call this when an execution begins: its call, if it has one, waits no longer. */
export const noteBegunExecution = (): void => underWay.getStore()?.begin();

/** Call this when an execution was refused later: of simultaneous calls, more than are left may get that far. */
export function noteRefusedExecution(): void {
  const call = underWay.getStore();
  if (call) call.refused = true;
}

interface Checks {
  quota: Quota;
  concurrency: Pick<Concurrency, "enter">;
  history: RefusalHistory;
  now: () => Date;
}

/** Puts the plan's checks before n8n's own handling of live calls. A call that matches no workflow gets n8n's own answer. */
export function refuseCallsOverPlan({ webhooks }: Internals, { quota, concurrency, history, now }: Checks): void {
  const execute = webhooks.live.executeWebhook.bind(webhooks.live);
  webhooks.live.executeWebhook = async (request, response, nodeType) => {
    const refusal = quota.usedUp();
    if (refusal !== undefined) {
      const { path } = request.params;
      const found = await webhooks.find(request.method, Array.isArray(path) ? path.join("/") : path);
      if (found) {
        await history.keepRefusedCall(found.workflowId, refusal.ownersWords);
        sendRefusedCall(request.headers, response, refusal.nextPeriod, now());
        return { noWebhookResponse: true };
      }
    }
    const begin = concurrency.enter();
    if (!begin) {
      sendBusyCall(request.headers, response);
      return { noWebhookResponse: true };
    }
    const call = { refused: false, begin };
    const answer = await underWay.run(call, () => execute(request, response, nodeType)).finally(begin);
    if (!call.refused || response.headersSent) return answer;
    sendRefusedCall(request.headers, response, quota.usedUp()?.nextPeriod, now());
    return { noWebhookResponse: true };
  };
}
