/** Attacks by another page in the customer's browser, such as a page of their workspace, which is on a subdomain of the panel. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RouteContract } from "#contract/api/route.ts";
import { routes } from "#contract/routes.ts";
import { createMovableClock, systemClock } from "#platform/clock.ts";
import { sessionMark } from "#platform/http/session-cookie.ts";
import { createSandboxApi, registerOnTrial, type SandboxApi } from "#testing/payments/sandbox-api.ts";
import { registerConfirmed } from "#testing/test-api.ts";

const webFolder = join(import.meta.dirname, "..", "web", "dist");
const tenant = "http://acme.localhost:3000";

let api: SandboxApi;
let token: string;
beforeAll(async () => {
  api = await createSandboxApi({ webFolder, timeTravel: { clock: createMovableClock(systemClock), dueWork: [], wake: () => undefined } });
  token = await registerOnTrial(api);
});
afterAll(() => api?.[Symbol.asyncDispose]());

const all = Object.entries(routes) as [string, RouteContract][];
const pathOf = ({ path }: RouteContract): string => `/api${path.replace(/:\w+/g, "019f0000-0000-7000-8000-000000000000")}`;
const changing = all.filter(([, { method }]) => method !== "GET" && method !== "HEAD");

test.each(changing)(
  "%s is refused from a workspace's page, with and without the cookie and for every origin header",
  async (_name, route) => {
    for (const origin of [tenant, "http://localhost:3000.evil.example", "https://localhost:3000", "null"]) {
      for (const cookie of [{ token }, {}]) {
        const answer = await api.call(route.method, pathOf(route), {
          ...cookie,
          body: {},
          headers: { origin, "sec-fetch-site": "same-site" },
        });
        expect(answer.json(), origin).toMatchObject({ status: 403, code: "cross_origin" });
      }
    }
    // An HTML form can send its body as text, and old browsers send no origin with it.
    const form = await api.app.inject({
      method: route.method,
      url: pathOf(route),
      headers: { host: "localhost:3000", cookie: `token=${token}`, "content-type": "text/plain" },
      payload: "{}",
    });
    expect(form.json()).toMatchObject({ status: 403, code: "cross_origin" });
  },
);

test("a workspace's page cannot read any response", async () => {
  for (const [name, route] of all.filter(([, { method, success }]) => method === "GET" && !success.stream)) {
    if (name === "logOut") continue;
    const { headers } = await api.call("GET", pathOf(route), { token, headers: { origin: tenant, "sec-fetch-site": "same-site" } });
    expect(headers["access-control-allow-origin"], name).toBeUndefined();
    expect(headers["cross-origin-resource-policy"], name).toBe("same-origin");
  }
  const preflight = await api.call("OPTIONS", "/api/auth/me", {
    token,
    headers: { origin: tenant, "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
  });
  expect(Object.keys(preflight.headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
});

test("two cookies with the session's name do not sign in, because one of them was planted", async () => {
  const { token: planted } = await registerConfirmed(api);
  for (const cookie of [`token=${planted}; token=${token}`, `token=${token}; a=b; token=${planted}`, `token=${token};token=${token}`]) {
    expect((await api.call("GET", "/api/auth/me", { headers: { cookie } })).json(), cookie).toMatchObject({
      status: 401,
      code: "signed_out",
    });
  }
  for (const cookie of [`csrftoken=x; token=${token}`, `a=token=x; token=${token}`, `__Host-token=${planted}; token=${token}`])
    expect((await api.call("GET", "/api/auth/me", { headers: { cookie } })).statusCode, cookie).toBe(200);
});

test("reading changes nothing: a link or an image that triggers a request changes no row", async () => {
  const tables = [
    "accounts",
    "users",
    "sessions",
    "link_tokens",
    "workspaces",
    "subscriptions",
    "checkouts",
    "backups",
    "exports",
    "restores",
    "invitations",
    "survey_answers",
    "billing_details",
    "audit_log",
    "mails",
  ];
  const state = async () =>
    (
      await api.database.pool.query(
        `select ${tables.map((table) => `(select md5(coalesce(string_agg(t::text, '' order by t::text), '')) from ${table} t) as ${table}`).join(", ")}`,
      )
    ).rows[0] as Record<string, string>;
  // Of the documented GETs that change something, browsers send the origin of one, one records a sign-in, and one needs a secret link.
  const before = await state();
  for (const [name, route] of all.filter(
    ([, { method, success, writes }]) => (method === "GET" || method === "HEAD") && !success.stream && writes !== "change",
  )) {
    await api.call(route.method, pathOf(route), { token });
    expect(await state(), name).toEqual(before);
  }
});

test("no page and no response can be framed", async () => {
  const checkout = new URL(await api.openCheckout(token)).pathname;
  // Without a built panel, the same hook still answers its paths.
  const pages = [
    "/",
    "/login",
    "/register",
    "/manage/billing",
    "/no-such-page",
    "/api/docs/",
    "/api/openapi.json",
    "/api/nothing",
    "/%",
    "/sandbox/nothing",
    checkout,
    "/sandbox/checkout.js",
  ];
  for (const path of pages) {
    const { headers } = await api.call("GET", path, { token });
    expect(String(headers["content-security-policy"]), path).toContain("frame-ancestors 'none'");
    expect(headers["x-frame-options"], path).toBe("DENY");
    expect(headers["x-content-type-options"], path).toBe("nosniff");
  }
});

test("a session never gets a token chosen by an attacker", async () => {
  const { form } = await registerConfirmed(api);
  const chosen = "a-token-that-an-attacker-has-put-into-the-browser";
  const before = await registerConfirmed(api);
  for (const planted of [chosen, before.token]) {
    const answer = await api.call("POST", "/api/auth/login", { token: planted, body: { login: form.email, password: form.password } });
    expect(answer.statusCode).toBe(200);
    const opened = (answer.json() as { token: string }).token;
    expect(opened).not.toBe(planted);
    expect(answer.cookies).toMatchObject([
      { name: "token", value: opened, httpOnly: true, sameSite: "Lax", path: "/" },
      { name: sessionMark, value: "1" },
      { name: "slipway-browser", httpOnly: true, sameSite: "Lax", path: "/" },
    ]);
    expect(answer.cookies[0]).not.toHaveProperty("domain");
    expect((await api.call("GET", "/api/auth/me", { token: opened })).json()).toMatchObject({ user: { email: form.email } });
  }
  expect((await api.call("GET", "/api/auth/me", { token: chosen })).json()).toMatchObject({ status: 401, code: "session_expired" });
  // Signing in over an open session ends that session.
  expect((await api.call("GET", "/api/auth/me", { token: before.token })).json()).toMatchObject({ status: 401, code: "session_expired" });
});

test("a signed-out token is refused when it is sent again", async () => {
  const { token: ended } = await registerConfirmed(api);
  await api.call("GET", "/api/auth/logout", { token: ended });
  expect((await api.call("GET", "/api/auth/me", { token: ended })).statusCode).toBe(401);
  expect((await api.call("GET", "/api/auth/me", { headers: { authorization: `Bearer ${ended}` } })).statusCode).toBe(401);
});

test("a storm of logins does not delay signed-in users", async () => {
  const { form } = await registerConfirmed(api);
  let pending = 0;
  const storm = Array.from({ length: 150 }, async () => {
    pending += 1;
    const answer = await api.call("POST", "/api/auth/login", {
      body: { login: `${pending}-${String(form.email)}`, password: "wrong password" },
    });
    pending -= 1;
    return answer;
  });
  // Not measured in time, because machines differ: it is answered while most of the logins are still waiting.
  const me = await api.call("GET", "/api/auth/me", { token });
  expect(me.statusCode).toBe(200);
  expect(pending).toBeGreaterThan(0);
  const codes = (await Promise.all(storm)).map(({ statusCode }) => statusCode);
  expect(codes.filter((code) => code !== 401 && code !== 503)).toEqual([]);
});
