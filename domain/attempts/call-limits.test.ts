/** Calls that write have a limit for each session and each account, in all processes together. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "#contract/routes.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";
import { callKindOf, callLimits, type CallKind } from "./call-limits.ts";
import { refuseTooManyCalls } from "./limit-calls.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

let subjects = 0;
const newCaller = (accountId = `account ${(subjects += 1)}`) => ({ sessionId: `session ${(subjects += 1)}`, accountId });

async function made(kind: CallKind, caller: ReturnType<typeof newCaller>, calls: number): Promise<number> {
  let passed = 0;
  for (let call = 0; call < calls; call += 1)
    await refuseTooManyCalls(api.database.db, kind, caller).then(
      () => (passed += 1),
      (error: unknown) => expect(error).toMatchObject({ code: "too_many_requests", details: { retryAfterSeconds: expect.any(Number) } }),
    );
  return passed;
}

test("every signed-in call that is not only a read has a limit, and so has the sign-in link", () => {
  for (const route of Object.values(routes)) {
    const isRead = route.method === "GET" || route.method === "HEAD";
    if (route.auth === "session" && !isRead) expect(callKindOf(route), route.path).not.toBeNull();
    if (route.auth === "none") expect(callKindOf(route), route.path).toBeNull();
  }
  expect(callKindOf(routes.getInstanceUrl)).toBe("sign-in-link");
  // Read from the payment provider, whose limit all customers share.
  expect(callKindOf(routes.getNextPayment)).toBe("preview");
  expect(callKindOf(routes.getPaymentInformation)).toBe("preview");
  expect(callKindOf(routes.restartInstance)).toBe("workspace");
  expect(callKindOf(routes.me)).toBeNull();
});

test("no session can use up its account's calls within a minute", () => {
  for (const { perSessionMinute, perAccountMinute } of Object.values(callLimits))
    expect(perAccountMinute).toBeGreaterThanOrEqual(2 * perSessionMinute);
});

test.each(Object.keys(callLimits) as CallKind[])(
  "a session makes as many calls of kind %s as it may, and so does its account",
  async (kind) => {
    const { perSessionMinute, perAccountMinute } = callLimits[kind];
    const first = newCaller();
    expect(await made(kind, first, perSessionMinute + 3)).toBe(perSessionMinute);
    let ofAccount = perSessionMinute;
    while (ofAccount < perAccountMinute) ofAccount += await made(kind, newCaller(first.accountId), perSessionMinute);
    expect(await made(kind, newCaller(first.accountId), 3)).toBe(0);
    expect(await made(kind, newCaller(), 1)).toBe(1);
  },
);

test("a day's calls are counted over its minutes, except those that guard an account", async () => {
  const caller = newCaller();
  await made("money", caller, 1);
  await made("security", caller, 1);
  await api.database.pool.query("update call_counts set calls = 100000 where until > clock_timestamp() + interval '1 hour'");
  expect(await made("money", caller, 1)).toBe(0);
  expect(await made("security", caller, 1)).toBe(1);
});

test("the API refuses further restarts with the seconds to wait, and still answers what only reads", async () => {
  const { token } = await registerConfirmed(api);
  const statuses: number[] = [];
  for (let call = 0; call < callLimits.workspace.perSessionMinute; call += 1)
    statuses.push((await api.call("PUT", "/api/instance/restart", { token })).statusCode);
  expect(new Set(statuses)).toEqual(new Set([404]));
  const refused = await api.call("PUT", "/api/instance/restart", { token });
  expect(refused.json()).toMatchObject({ status: 429, code: "too_many_requests" });
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await api.call("GET", "/api/auth/me", { token })).statusCode).toBe(200);
  expect((await api.call("POST", "/api/account/selected-apps", { token, body: { apps: [] } })).statusCode).toBe(200);
});
