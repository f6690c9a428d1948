/** One address, and the network around it, registers a limited number of accounts a day. */
import { afterEach, expect, test } from "vitest";
import { networkFactor } from "#domain/attempts/limit-registrations.ts";
import { altcha } from "#domain/challenges/altcha-challenge.ts";
import { createSecrets } from "#platform/secrets.ts";
import { buildRegistration } from "#testing/accounts/build-registration.ts";
import { ownerWithBrowser } from "#testing/accounts/open-browser.ts";
import { solveChallenge } from "#testing/accounts/solve-challenge.ts";
import { createTestApi, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
afterEach(() => api[Symbol.asyncDispose]());

const perDay = 2;
const office = "192.0.2.80";
const open = async (registrationsPerDay = perDay) => void (api = await createTestApi({ registrationsPerDay }));
const register = (address: string, changes: Record<string, unknown> = {}) =>
  api.call("POST", "/api/auth/register", { address, body: buildRegistration(changes) });
/** As after a payment. */
const startPlan = (name: unknown) =>
  api.database.pool.query(
    `insert into subscriptions (account_id, plan_id, spec_id, status, provider, started_at, period_starts_at)
    select id, 'starter-monthly', (select spec_id from plans where id = 'starter-monthly'), 'active', 'sandbox', now(), now()
    from accounts where name = $1`,
    [name],
  );
const accounts = async () => (await api.database.pool.query<{ all: number }>('select count(*)::int as "all" from accounts')).rows[0]!.all;

test("further accounts of an address are refused until a day after its first, and other addresses register", async () => {
  await open();
  for (let made = 0; made < perDay; made += 1) expect((await register(office)).statusCode).toBe(201);
  const refused = await register(office);
  expect(refused.json()).toMatchObject({ status: 429, code: "too_many_requests" });
  expect(refused.json().retryAfterSeconds).toBeGreaterThan(23 * 3600);
  expect(refused.json().retryAfterSeconds).toBeLessThanOrEqual(24 * 3600);
  expect((await register("198.51.100.80")).statusCode).toBe(201);
  await api.database.pool.query("update call_counts set until = until - interval '1 day'");
  expect((await register(office)).statusCode).toBe(201);
});

test("of simultaneous registrations of an address, no more than its limit make an account", async () => {
  await open();
  const codes = await Promise.all(Array.from({ length: 8 }, async () => (await register(office)).statusCode));
  expect(codes.filter((code) => code === 201)).toHaveLength(perDay);
  expect(codes.filter((code) => code === 429)).toHaveLength(8 - perDay);
  expect(await accounts()).toBe(perDay);
  const counted = await api.database.pool.query("select calls from call_counts where until > clock_timestamp() + interval '1 hour'");
  // Of the address and of its network: the refused ones count for neither.
  expect(counted.rows).toEqual([{ calls: perDay }, { calls: perDay }]);
});

test.each([
  ["an IPv4 network of 256 addresses", (host: number) => `192.0.2.${host}`, "192.0.3.1"],
  ["a site's IPv6 network", (host: number) => `2001:db8:1:${host}::1`, "2001:db8:2::1"],
])("%s shares a limit, however many of its addresses register", async (_what, addressOf, elsewhere) => {
  await open(1);
  for (let host = 1; host <= networkFactor; host += 1) expect((await register(addressOf(host))).statusCode).toBe(201);
  expect((await register(addressOf(networkFactor + 1))).statusCode).toBe(429);
  expect((await register(elsewhere)).statusCode).toBe(201);
});

test("a registration that makes no account does not count", async () => {
  await open();
  expect((await register(office, { accountName: "admin" })).statusCode).toBe(409);
  expect((await register(office, { password: "1" })).statusCode).toBe(422);
  for (let made = 0; made < perDay; made += 1) expect((await register(office)).statusCode).toBe(201);
});

test("a paying customer registers in their browser when strangers at their address have used up its day, up to a limit of their own", async () => {
  await open();
  for (let made = 0; made < perDay; made += 1) expect((await register(office)).statusCode).toBe(201);
  const { browser, form } = await ownerWithBrowser(api, office);
  const registered = async () => {
    // A registration is signed in there: the browser belongs to both from then on.
    const answer = await browser.post("/api/auth/register", buildRegistration());
    return answer.statusCode;
  };
  expect(await registered()).toBe(429);
  await startPlan(form["accountName"]);
  for (let made = 0; made < perDay; made += 1) expect(await registered()).toBe(201);
  expect(await registered()).toBe(429);
  expect((await register(office)).statusCode).toBe(429);
});

test("a refused visitor's solved challenge is not used up", async () => {
  const secrets = createSecrets("a key for tests, long enough to be one");
  api = await createTestApi(async ({ clock }) => ({ registrationsPerDay: 1, challenge: altcha({ secrets, clock, maxNumber: 5 }) }));
  const solved = async () => solveChallenge((await api.call("GET", "/api/auth/challenge")).json());
  expect((await register(office, { challenge: await solved() })).statusCode).toBe(201);
  const challenge = await solved();
  expect((await register(office, { challenge })).statusCode).toBe(429);
  expect((await register("198.51.100.81", { challenge })).statusCode).toBe(201);
});
