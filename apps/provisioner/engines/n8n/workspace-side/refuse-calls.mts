/**
 * Over the plan's executions, calls of webhooks, forms and MCP servers are refused before anything runs, in the form that the caller reads.
 * n8n itself would answer 500, and write a failed execution for each.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { sendDocument } from "../../workspace-side/page.mts";
import type { Response } from "../../workspace-side/handler.mts";
import type { Internals, WebhookRequest } from "./internals.mts";
import type { Quota } from "./quota.mts";
import type { RefusalHistory } from "./refusal-history.mts";

const hourSeconds = 3600;
const underWay = new AsyncLocalStorage<{ refused: boolean }>();

/** To be called where an execution was refused after all: of calls at the same moment, more than are left may come as far. */
export function noteRefusedExecution(): void {
  const call = underWay.getStore();
  if (call) call.refused = true;
}

/** Puts the plan before n8n's own handling of live calls. A call that leads to no workflow gets n8n's own answer. */
export function refuseCallsOverPlan({ webhooks }: Internals, quota: Quota, history: RefusalHistory, now: () => Date): void {
  const execute = webhooks.live.executeWebhook.bind(webhooks.live);
  webhooks.live.executeWebhook = async (request, response, nodeType) => {
    const refusal = quota.usedUp();
    if (refusal !== undefined) {
      const { path } = request.params;
      const found = await webhooks.find(request.method, Array.isArray(path) ? path.join("/") : path);
      if (found) {
        await history.keepRefusedCall(found.workflowId, refusal.ownersWords);
        sendRefusal(request, response, refusal.nextPeriod, now());
        return { noWebhookResponse: true };
      }
    }
    const call = { refused: false };
    const answer = await underWay.run(call, () => execute(request, response, nodeType));
    if (!call.refused || response.headersSent) return answer;
    sendRefusal(request, response, quota.usedUp()?.nextPeriod, now());
    return { noWebhookResponse: true };
  };
}

/** 429 where the next usage period lifts it, else 402. A stranger learns when to come back, and nothing of the plan. */
function sendRefusal(request: WebhookRequest, response: Response, nextPeriod: string | undefined, now: Date): void {
  const status = nextPeriod === undefined ? 402 : 429;
  const title = "This workspace has used all of its executions";
  const day = nextPeriod && new Date(nextPeriod).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  const detail = `Nothing was run. ${day ? `It accepts calls again on ${day}, or as soon as its owner chooses a larger plan.` : "It accepts calls again once its owner chooses a larger plan."}`;
  // Its owner may choose another plan at any moment: callers look again within the hour.
  const seconds = nextPeriod === undefined ? hourSeconds : Math.min(hourSeconds, Math.ceil((Date.parse(nextPeriod) - now.getTime()) / 1000));
  response.set("Retry-After", String(Math.max(1, seconds))).set("Cache-Control", "no-store");
  const accept = request.headers["accept"] ?? "";
  if (accept.includes("text/html")) return sendDocument(response, status, { heading: title, sentences: [detail] });
  if (accept.includes("text/plain") && !accept.includes("json")) return void response.status(status).type("text/plain").send(`${title}. ${detail}\n`);
  response.status(status).type("application/problem+json").send(`${JSON.stringify({ type: "about:blank", title, status, code: "executions_used_up", detail, message: `${title}. ${detail}` })}\n`);
}
