/** The API on another origin than the panel: the panel's pages may call it and read its answers, and no others. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RouteContract } from "#contract/api/route.ts";
import { routes } from "#contract/routes.ts";
import { sessionCookie } from "#platform/http/session-cookie.ts";
import { unlistedPaths } from "./service-urls.ts";
import { createTestApi, registerConfirmed, type CallOptions, type TestApi } from "#testing/test-api.ts";

const panel = "https://app.example.com";
const apiHost = "api.example.com";
const foreign = [
  "https://acme.app.example.com",
  "https://evil.example.com",
  "https://app.example.com.evil.example",
  "http://app.example.com",
];

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await createTestApi({
    publicUrl: panel,
    apiUrl: `https://${apiHost}/v2`,
    serviceUrls: {
      api: `https://${apiHost}/v2`,
      instance: `https://${apiHost}/v2/own/workspace`,
      plans: "https://plans.example.com",
      nodeCatalogue: "https://nodes.example.com/public",
    },
    cookie: sessionCookie(true),
  });
  token = await register();
});
afterAll(() => api?.[Symbol.asyncDispose]());

/** As the panel's page calls it. */
const fromPanel: TestApi["call"] = (method, path, { headers, ...options }: CallOptions = {}) =>
  api.call(method, path, { ...options, headers: { host: apiHost, origin: panel, "sec-fetch-site": "same-site", ...headers } });

const register = async (): Promise<string> =>
  (await registerConfirmed({ ...api, call: (method, path, options) => fromPanel(method, path.replace(/^\/api/, "/v2"), options) })).token;

const cors = {
  "access-control-allow-origin": panel,
  "access-control-allow-credentials": "true",
  "access-control-expose-headers": "x-request-id, retry-after, content-disposition",
};

test("the panel's page signs in, reads its user, makes changes and signs out; the cookie is the API host's alone", async () => {
  const own = await register();
  const me = await fromPanel("GET", "/v2/auth/me", { token: own });
  expect(me.statusCode).toBe(200);
  expect(me.headers).toMatchObject({ ...cors, "x-request-id": expect.any(String) });
  expect(me.json()).toHaveProperty("user.id");
  const signedOut = await fromPanel("GET", "/v2/auth/logout", { token: own });
  expect(signedOut.statusCode).toBe(204);
  const [cookie] = [signedOut.headers["set-cookie"]].flat();
  expect(cookie).toMatch(/^__Host-token=; .*Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
  expect(cookie).not.toContain("Domain");
  expect((await fromPanel("GET", "/v2/auth/me", { token: own })).json()).toMatchObject({ code: "session_expired" });
});

test.each([
  ["/v2/own/workspace", apiHost],
  ["/v2/own/workspace/monitoring", apiHost],
  ["/plans", "plans.example.com"],
  ["/plan/no-plan", "plans.example.com"],
  ["/api/instance", "app.example.com"],
])("%s at %s is a call of the contract", async (path, host) => {
  const answer = await fromPanel("GET", path, { token, headers: { host } });
  // A call that found no route is `not_found`; this person has no workspace, and there is no such plan.
  expect(answer.statusCode === 200 || answer.json<{ code: string }>().code !== "not_found").toBe(true);
  expect(answer.headers).toMatchObject(cors);
});

test.each(["/v2/own", "/own/workspace", "/auth/me", "/login", "/", "/v2", "/v3/auth/me"])(
  "%s at the API's host is nothing: not a page, and not another service's call",
  async (path) => {
    const answer = await fromPanel("GET", path, { token });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers["content-type"]).toContain("application/problem+json");
  },
);

test("the node catalogue answers at its own host, and only there pages may load pictures besides the panel's", async () => {
  const answer = await fromPanel("POST", "/public/graphql", { body: { query: "{__typename}" }, headers: { host: "nodes.example.com" } });
  expect(answer.json()).toHaveProperty("data");
  const policy = String(answer.headers["content-security-policy"]);
  expect(policy).toContain("img-src 'self' data: https://nodes.example.com;");
  expect(policy).toContain("connect-src 'self' https://api.example.com https://plans.example.com https://nodes.example.com;");
});

test("a refusal can be read by the panel: its code, its request's id, and when to try again", async () => {
  const answer = await fromPanel("POST", "/v2/auth/login", { body: { login: 1 } });
  expect(answer.statusCode).toBe(422);
  expect(answer.headers).toMatchObject(cors);
  // Refused before a route is found.
  expect((await fromPanel("GET", "/v2/account/%ff")).headers).toMatchObject(cors);
});

describe("a preflight", () => {
  const ask = (origin: string, path = "/v2/account/profile") =>
    fromPanel("OPTIONS", path, {
      headers: { origin, "access-control-request-method": "PUT", "access-control-request-headers": "content-type,x-slipway-person" },
    });

  test("of the panel allows what the panel sends, and is remembered", async () => {
    const answer = await ask(panel);
    expect(answer.statusCode).toBe(204);
    expect(answer.headers).toMatchObject({
      ...cors,
      "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers": "content-type, idempotency-key, x-slipway-person",
      "access-control-max-age": "7200",
    });
    const methods = new Set((Object.values(routes) as RouteContract[]).map(({ method }) => method));
    for (const method of methods) expect(answer.headers["access-control-allow-methods"]).toContain(method);
  });

  test.each([...foreign, "null"])("of %s is refused and allows nothing", async (origin) => {
    const answer = await ask(origin);
    expect(answer.statusCode).toBe(403);
    expect(answer.headers["access-control-allow-methods"]).toBeUndefined();
    expect(answer.headers["access-control-allow-origin"]).toBe(panel);
  });
});

test("every call of another origin is refused, reading and signing out too, and none may read the answer", async () => {
  for (const [name, route] of Object.entries(routes) as [string, RouteContract][]) {
    const path = `/api${route.path.replace(/:\w+/g, "019f0000-0000-7000-8000-000000000000")}`;
    for (const origin of [...foreign, "null"]) {
      const body = route.method === "GET" || route.method === "HEAD" ? {} : { body: {} };
      const answer = await fromPanel(route.method, path, { token, ...body, headers: { origin } });
      expect(answer.statusCode, `${name} by ${origin}`).toBe(403);
      expect(answer.headers["access-control-allow-origin"], name).toBe(panel);
    }
  }
  // An image or a script names no origin.
  for (const path of ["/v2/auth/me", "/v2/auth/logout", "/v2/own/workspace"]) {
    const headers = { host: apiHost, cookie: `__Host-token=${token}`, "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" };
    expect((await api.app.inject({ method: "GET", url: path, headers })).statusCode, path).toBe(403);
  }
  expect((await fromPanel("GET", "/v2/auth/me", { token })).statusCode).toBe(200);
});

test("with one origin no answer has a CORS header, and a page beside the panel stays foreign", async () => {
  await using usual = await createTestApi();
  const answer = await usual.call("GET", "/api/auth/me", { headers: { origin: "http://localhost:3100", "sec-fetch-site": "same-site" } });
  expect(answer.statusCode).toBe(403);
  expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
});

test("the paths that settings may not hide are all that the API has", async () => {
  const { paths } = (await fromPanel("GET", "/v2/openapi.json")).json<{ paths: object }>();
  const hidden = ["/docs", "/openapi.json"];
  const listed = [...Object.values(routes).map(({ path }) => path), ...unlistedPaths.filter((path) => !hidden.includes(path))];
  const known = new Set(listed.map((path) => `/api${path.replace(/:(\w+)/g, "{$1}")}`));
  expect(Object.keys(paths).filter((path) => !known.has(path))).toEqual([]);
});

test("the reference is on the API's host, may call it from there, and leads back to the panel", async () => {
  const page = await fromPanel("GET", "/v2/docs", { headers: { "sec-fetch-mode": "navigate" } });
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain(`href="${panel}/dashboard"`);
  const body = { login: "nobody@example.com", password: "not the right one" };
  const tried = await fromPanel("POST", "/api/auth/login", {
    body,
    headers: { origin: `https://${apiHost}`, "sec-fetch-site": "same-origin" },
  });
  expect(tried.json()).not.toMatchObject({ code: "cross_origin" });
});
