import { afterAll, beforeAll, expect, test } from "vitest";
import { signatureHeader, signWebhook } from "#payments/sandbox/webhooks/webhook-signature.ts";
import { providerEvents } from "#database/tables.ts";
import { after, minuteMs } from "#platform/clock.ts";
import { createSandboxApi, type SandboxApi } from "#testing/payments/sandbox-api.ts";

let api: SandboxApi;
beforeAll(async () => {
  api = await createSandboxApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const secret = Buffer.from("a secret for webhooks");
const event = (id: string, changes: object = {}) =>
  Buffer.from(JSON.stringify({ id, type: "subscription.updated", occurredAt: api.clock.now().toISOString(), data: {}, ...changes }));
const post = (
  body: Buffer,
  headers: Record<string, string> = { [signatureHeader]: signWebhook([secret], body, api.clock.now()) },
  provider = "sandbox",
) =>
  api.app.inject({
    method: "POST",
    url: `/api/webhooks/${provider}`,
    headers: { "content-type": "application/json", ...headers },
    payload: body,
  });
const stored = async (id: string) => (await api.database.db.select().from(providerEvents)).filter((row) => row.eventId === id).length;

test("a signed event is stored and acknowledged immediately; a repeated one is stored once", async () => {
  const body = event("evt_1");
  const [one, other] = await Promise.all([post(body), post(body)]);
  expect([one.statusCode, other.statusCode]).toEqual([200, 200]);
  expect(one.json()).toEqual({ received: true });
  expect(await stored("evt_1")).toBe(1);
});

test("an event with an invalid signature is refused and not stored", async () => {
  const body = event("evt_2");
  const old = { [signatureHeader]: signWebhook([secret], body, after(api.clock.now(), -10 * minuteMs)) };
  const future = { [signatureHeader]: signWebhook([secret], body, after(api.clock.now(), 10 * minuteMs)) };
  const nobodys = { [signatureHeader]: signWebhook([Buffer.from("guessed")], body, api.clock.now()) };
  const garbage = { [signatureHeader]: "t=now,v1=zz" };
  for (const headers of [old, future, nobodys, garbage, {}]) {
    const answer = await post(body, headers);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: "webhook_refused" });
  }
  expect(await stored("evt_2")).toBe(0);
});

test("the signature covers the raw bytes", async () => {
  const spaced = Buffer.from(`  ${event("evt_3").toString()}\n`);
  expect((await post(spaced)).statusCode).toBe(200);
  expect(await stored("evt_3")).toBe(1);
});

test("a signed body that is not an event, is empty or has no type is refused", async () => {
  for (const body of [Buffer.from("not json"), Buffer.alloc(0), event("evt_4", { type: undefined })])
    expect((await post(body)).statusCode).toBe(400);
});

test("a provider other than the configured one is not found", async () => {
  for (const provider of ["stripe", "paddle", "x"]) expect((await post(event("evt_5"), undefined, provider)).statusCode).toBe(404);
});

test("a body larger than any event is refused unread", async () => {
  const answer = await post(Buffer.alloc(2 * 1024 * 1024, 32));
  expect(answer.statusCode).toBe(413);
  expect(answer.json()).toMatchObject({ code: "body_too_large" });
});

test("any content type is accepted, and many events from one address are not limited", async () => {
  await using narrow = await createSandboxApi({ callsPerMinute: 3 });
  for (let index = 0; index < 10; index += 1) {
    const body = event(`evt_many_${index}`);
    const headers = { "content-type": "text/plain", [signatureHeader]: signWebhook([secret], body, narrow.clock.now()) };
    expect((await narrow.app.inject({ method: "POST", url: "/api/webhooks/sandbox", headers, payload: body })).statusCode).toBe(200);
  }
});
