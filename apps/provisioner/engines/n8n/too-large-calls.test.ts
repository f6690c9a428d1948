/** Calls whose body is too large: n8n never ends its handling of them, and they must not take places from others. */
import { getHeapStatistics } from "node:v8";
import { expect, test } from "vitest";
import { createConcurrency, usedMemoryShare } from "./workspace-side/quota/concurrency.mts";
import { refuseCallsOverPlan } from "./workspace-side/quota/refuse-calls.mts";
import type { Internals, WebhookRequest, WebhookResponse } from "./workspace-side/internals.mts";
import { tellTooLarge } from "./workspace-side/too-large.mts";

/** An n8n that reads the body of each call before it begins an execution, behind the hook's checks in their order. */
function n8n() {
  const begun: unknown[] = [];
  const live: Internals["webhooks"]["live"] = {
    findAccessControlOptions: async () => undefined,
    async executeWebhook(request) {
      await request.readRawBody!();
      begun.push(request);
      return "done";
    },
  };
  const internals = { webhooks: { live, find: () => Promise.resolve(null) }, payloadMb: 16, productionQueue: {} } as unknown as Internals;
  const concurrency = createConcurrency(internals, { read: () => undefined } as never, () => 0);
  tellTooLarge(internals);
  const quota = { usedUp: () => undefined };
  refuseCallsOverPlan(internals, { quota, concurrency, history: {}, now: () => new Date() } as never);
  return { begun, live };
}

function call(live: Internals["webhooks"]["live"], readRawBody: () => Promise<void>) {
  const sent: number[] = [];
  const response = {
    headersSent: false,
    status(code: number) {
      sent.push(code);
      return response;
    },
    type: () => response,
    set: () => response,
    send: () => void (response.headersSent = true),
    json: () => void (response.headersSent = true),
  };
  const request = { params: { path: "orders" }, headers: {}, readRawBody, unpipe: () => undefined, resume: () => undefined };
  const answer = live.executeWebhook(request as unknown as WebhookRequest, response as unknown as WebhookResponse);
  return { sent, answer };
}

const tooLarge = () => Promise.reject(Object.assign(new Error("request entity too large"), { type: "entity.too.large" }));

test("calls with a body that is too large get 413, begin nothing, and leave the places of those under way to others", async () => {
  const { live, begun } = n8n();
  for (let number = 0; number < 150; number += 1) {
    const { sent, answer } = call(live, tooLarge);
    expect(await answer).toEqual({ noWebhookResponse: true });
    expect(sent).toEqual([413]);
  }
  expect(begun).toEqual([]);
  expect(await call(live, () => Promise.resolve()).answer).toBe("done");
}, 10_000);

test("bodies that have arrived and are no objects yet count as memory: they are not hidden from what lets further calls wait", () => {
  const before = usedMemoryShare();
  const { heap_size_limit: limit } = getHeapStatistics();
  const bodies = Array.from({ length: 8 }, () => Buffer.alloc(limit / 80));
  expect(usedMemoryShare() - before).toBeGreaterThan(0.05);
  expect(bodies).toHaveLength(8);
});
