/** What HTTP itself promises of calls: HEAD writes nothing, 405 names the methods that there are, 401 says how to sign in. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RouteContract } from "#contract/api/route.ts";
import { routes } from "#contract/routes.ts";
import { createMovableClock } from "#platform/clock.ts";
import { setUpOwner } from "#testing/accounts/set-up-owner.ts";
import { createSandboxApi, type SandboxApi } from "#testing/payments/sandbox-api.ts";
import { createTestClock } from "#testing/test-clock.ts";

let api: SandboxApi;
let token: string;
let accountName: string;
let accountId: string;
beforeAll(async () => {
  const clock = createTestClock();
  api = await createSandboxApi({ clock, timeTravel: { clock: createMovableClock(clock), dueWork: [], wake: () => undefined } });
  const owner = await setUpOwner(api);
  ({ token, accountName, accountId } = owner);
  await api.database.pool.query(
    "update workspaces set observed_state = 'online', observed_generation = generation, observed_version = desired_version where account_id = $1",
    [accountId],
  );
  await api.call("POST", "/api/account/invite-members", { token, body: { emails: ["grace@example.com"] } });
  await api.database.pool.query("update invitations set state = 'sent' where account_id = $1", [accountId]);
});
afterAll(() => api?.[Symbol.asyncDispose]());

const all: [string, RouteContract][] = Object.entries(routes);
/** Paths that lead to something of the owner, as far as it has a name known here. */
const pathOf = ({ path }: RouteContract): string =>
  `/api${path.replace(":username", accountName).replace(":name", "free-name").replace(/:\w+/g, randomUUID())}`;

/** The rows of every table as one value each. Limits count every call, whatever it is, and are no part of what a call does. */
async function rowsOfAll(): Promise<Record<string, string>> {
  const { rows: tables } = await api.database.pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'call_counts' order by 1",
  );
  const columns = tables.map(
    ({ name }) => `(select md5(coalesce(string_agg(t::text, '' order by t::text), '')) from "${name}" t) as "${name}"`,
  );
  return (await api.database.pool.query<Record<string, string>>(`select ${columns.join(", ")}`)).rows[0]!;
}

/** Signing out comes last: if that wrote, nothing after it would be signed in. */
const reading = all
  .filter(([, { method }]) => method === "GET" || method === "HEAD")
  .toSorted(([one], [other]) => Number(one === "logOut") - Number(other === "logOut"));
test.each(reading)("a HEAD of %s writes nothing", async (_name, route) => {
  const now = api.clock.now().getTime();
  // Its next look is late enough, and its figures are old enough, for calls that ask for new ones.
  await api.database.pool.query("update workspaces set usage_read_at = $2, reconcile_at = $3, lease_owner = null where account_id = $1", [
    accountId,
    new Date(now - 3_600_000),
    new Date(now + 600_000),
  ]);
  const before = await rowsOfAll();
  const { statusCode, body } = await api.call("HEAD", pathOf(route), { token });
  expect(statusCode).toBeLessThan(500);
  expect([401, 403, 429]).not.toContain(statusCode);
  expect(body).toBe("");
  expect(await rowsOfAll()).toEqual(before);
});

test("a HEAD of a link into the workspace answers as its GET would", async () => {
  expect((await api.call("HEAD", "/api/instance/url", { token })).statusCode).toBe(200);
  expect((await api.call("GET", "/api/instance/url", { token })).statusCode).toBe(200);
  const { token: starting } = await setUpOwner(api);
  expect((await api.call("HEAD", "/api/instance/url", { token: starting })).statusCode).toBe(409);
});

describe("a method that a path does not have", () => {
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
  const paths = [...new Set(all.map(([, { path }]) => path))];
  test.each(paths)("%s answers 405 and names the others", async (path) => {
    const known = new Set(all.filter(([, route]) => route.path === path).map(([, { method }]) => method));
    const expected = [...known, ...(known.has("GET") ? ["HEAD"] : [])].toSorted().join(", ");
    for (const method of methods) {
      if (known.has(method)) continue;
      const answer = await api.call(method, `${pathOf({ path } as RouteContract)}?a=1`, { token });
      expect([method, answer.statusCode, answer.headers["allow"]]).toEqual([method, 405, expected]);
      expect(answer.json()).toMatchObject({ status: 405, code: "method_not_allowed" });
    }
  });

  test.each(["/api/nothing", "/api/auth", "/api/auth/login/", "/api/auth/me/x", "/api/account/transactions//invoice"])(
    "%s is still unknown",
    async (path) => {
      const answer = await api.call("PUT", path, { token });
      expect([answer.statusCode, answer.headers["allow"], answer.json().code]).toEqual([404, undefined, "not_found"]);
    },
  );
});

test("a 401 says how to sign in, in a way for which no browser opens a dialog", async () => {
  const challenge = 'Bearer realm="Slipway"';
  const of = async (headers: Record<string, string>, path = "/api/instance") => {
    const answer = await api.call("GET", path, { headers });
    return [answer.statusCode, answer.headers["www-authenticate"]];
  };
  expect(await of({})).toEqual([401, challenge]);
  expect(await of({ authorization: "Bearer of-yesterday" })).toEqual([401, `${challenge}, error="invalid_token"`]);
  expect(await of({ cookie: `${api.services.cookie.name}=of-yesterday` })).toEqual([401, challenge]);
  const wrong = await api.call("POST", "/api/auth/login", { body: { login: "nobody@example.com", password: "not the right one" } });
  expect([wrong.statusCode, wrong.headers["www-authenticate"]]).toEqual([401, challenge]);
});
