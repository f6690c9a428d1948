import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { fieldCodes, problems } from "#contract/api/problem.ts";
import type { RouteContract } from "#contract/api/route.ts";
import { routes } from "#contract/routes.ts";
import { createMovableClock } from "#platform/clock.ts";
import { openDatabase } from "#platform/database.ts";
import { createLog } from "#platform/log.ts";
import { createSandboxApi } from "#testing/payments/sandbox-api.ts";
import { createTestApi, registerConfirmed, registerSomebody, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

test("every route of the contract is mounted and described", async () => {
  // The developer bar's routes exist only if the clock can be moved.
  await using sandbox = await createSandboxApi({
    timeTravel: { clock: createMovableClock(api.clock), dueWork: [], wake: () => undefined },
  });
  const document = (await sandbox.call("GET", "/api/openapi.json")).json();
  expect(document.openapi).toBe("3.1.0");
  for (const route of Object.values(routes)) {
    const path = document.paths[`/api${route.path.replace(/:(\w+)/g, "{$1}")}`];
    expect(path?.[route.method.toLowerCase()]?.summary, `${route.method} ${route.path}`).toBe(route.summary);
  }
});

test.each(["/api/docs", "/api/docs/"])(
  "the reference at %s is one page with the product's styles, which its own policy allows",
  async (path) => {
    const page = await api.call("GET", path);
    expect(page.statusCode).toBe(200);
    expect(page.headers["content-type"]).toContain("text/html");
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).not.toMatch(/unsafe/);
    const style = /<style>(.*?)<\/style>/s.exec(page.body)![1]!;
    expect(policy).toContain(createHash("sha256").update(style).digest("base64"));
    for (const [, script] of page.body.matchAll(/<script>(.*?)<\/script>/gs))
      expect(policy).toContain(createHash("sha256").update(script!).digest("base64"));
    // It loads nothing but its typeface, so nothing can be missing; and it shows no shape of the library's own.
    expect(page.body).not.toMatch(/<script |<link|<img|src=|swagger/);
    const loaded = [...page.body.matchAll(/url\(([^)]+)\)/g)].map(([, address]) => address!);
    expect(loaded).toHaveLength(1);
    expect(await api.call("GET", loaded[0]!)).toMatchObject({ statusCode: 200, headers: { "content-type": "font/woff2" } });
    expect(style).toMatch(/color-scheme:light dark/);
  },
);

test("the reference lists every call, shape and code, and all of its links work", async () => {
  const { body } = await api.call("GET", "/api/docs");
  const document = (await api.call("GET", "/api/openapi.json")).json();
  for (const path of Object.keys(document.paths)) expect(body).toContain(`<code>${path}</code>`);
  for (const code of [...Object.keys(problems), ...fieldCodes]) expect(body).toContain(`<tr id="${code}">`);
  const anchors = new Set([...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const links = [...body.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter((id) => !anchors.has(id))).toEqual([]);
  // A refusal links to the explanation of its code.
  const { type } = (await api.call("GET", "/api/auth/me")).json();
  expect(anchors).toContain(type.split("#")[1]);
});

test("the OpenAPI document contains every shape that it refers to", async () => {
  const { body } = await api.call("GET", "/api/openapi.json");
  const { schemas } = JSON.parse(body).components;
  const named = [...body.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !(name in schemas))).toEqual([]);
});

test("a field error always has one of the contract's codes, never a library's message", async () => {
  const { token } = await registerConfirmed(api);
  const odd = [undefined, null, true, 7, "", "x".repeat(5000), [], {}, { extra: 1 }];
  const seen = new Set<string>();
  for (const route of Object.values<RouteContract>(routes)) {
    if (!route.body) continue;
    const fields = route.body instanceof z.ZodObject ? Object.keys(route.body.shape) : [];
    const bodies = [...odd, ...odd.map((value) => Object.fromEntries(fields.map((field) => [field, value])))];
    for (const body of bodies) {
      const answer = await api.call(route.method, `/api${route.path.replace(/:(\w+)/g, "x")}`, { token, body: body ?? {} });
      if (answer.statusCode !== 422) continue;
      for (const { code } of answer.json().errors) seen.add(code);
    }
  }
  expect(seen.size).toBeGreaterThan(10);
  expect([...seen].filter((code) => !(fieldCodes as string[]).includes(code))).toEqual([]);
});

test("responses have a request id and the security headers", async () => {
  const answer = await api.call("GET", "/api/fe/config");
  expect(answer.headers).toMatchObject({
    "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
  });
  const policy = String(answer.headers["content-security-policy"]);
  expect(policy).toContain("default-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval/);
});

const malformed: [what: string, status: number, code: string, options: { payload?: string; headers: Record<string, string> }][] = [
  ["broken JSON", 400, "bad_request", { payload: "{", headers: { "content-type": "application/json" } }],
  ["no body", 422, "validation_failed", { headers: {} }],
  ["an empty JSON body", 400, "bad_request", { payload: "", headers: { "content-type": "application/json" } }],
  ["a form", 415, "unsupported_media_type", { payload: "a=b", headers: { "content-type": "application/x-www-form-urlencoded" } }],
  ["a prototype key", 400, "bad_request", { payload: '{"__proto__":{"admin":true}}', headers: { "content-type": "application/json" } }],
  [
    "a megabyte",
    413,
    "body_too_large",
    { payload: JSON.stringify({ login: "x".repeat(1_000_000) }), headers: { "content-type": "application/json" } },
  ],
  ["an array", 422, "validation_failed", { payload: "[]", headers: { "content-type": "application/json" } }],
];

test.each(malformed)("%s is refused with %i", async (_what, status, code, options) => {
  const answer = await api.app.inject({ method: "POST", url: "/api/auth/login", ...options });
  expect(answer.json()).toMatchObject({ status, code, error: expect.any(String), requestId: answer.headers["x-request-id"] });
  expect(answer.statusCode).toBe(status);
  expect(answer.body).not.toMatch(/node_modules|at \w+ \(/);
});

test("an unknown call is a problem, not a page", async () => {
  const answer = await api.call("GET", "/api/nothing");
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ code: "not_found", title: "This page could not be found" });
});

test("an internal error is 500 with a request id and does not reveal its cause", async () => {
  const broken = await createTestApi({ findCurrentUser: () => Promise.reject(new Error("password=hunter2 at db.internal")) });
  const answer = await broken.call("GET", "/api/auth/me", { token: "x" });
  expect(answer.statusCode).toBe(500);
  expect(answer.json()).toMatchObject({ code: "internal_error", requestId: answer.headers["x-request-id"] });
  expect(answer.body).not.toContain("hunter2");
  await broken[Symbol.asyncDispose]();
});

test("a flood from one address is refused with the time to retry", async () => {
  const tryOnce = (address: string) => api.call("POST", "/api/auth/login", { body: { login: "", password: "" }, address });
  for (let tries = 0; tries < 60; tries += 1) expect((await tryOnce("192.0.2.7")).statusCode).toBe(422);
  const refused = await tryOnce("192.0.2.7");
  expect(refused.statusCode).toBe(429);
  expect((await tryOnce("192.0.2.8")).statusCode).toBe(422);
  expect(refused.json()).toMatchObject({ code: "too_many_requests", retryAfterSeconds: expect.any(Number) });
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
});

test("healthz answers up; readyz names failing checks", async () => {
  expect((await api.call("GET", "/healthz")).json()).toEqual({ status: "up" });
  expect((await api.call("GET", "/readyz")).statusCode).toBe(200);
  const waiting = await createTestApi({ checkReadiness: () => Promise.resolve({ database: true, migrated: false, roles: false }) });
  const answer = await waiting.call("GET", "/readyz");
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toEqual({ status: "not ready", checks: { database: true, migrated: false, roles: false } });
  await waiting[Symbol.asyncDispose]();
});

test("a call that the database does not answer gets a sentence and a time to try again", async () => {
  const away = openDatabase({ host: "127.0.0.1", port: 1 }, createLog("silent"));
  await using broken = await createTestApi({ findCurrentUser: async () => (await away.db.execute(sql`select 1`)) as never });
  const answer = await broken.call("GET", "/api/auth/me", { token: "a token" });
  expect(answer.statusCode).toBe(503);
  expect(answer.headers["retry-after"]).toBe("5");
  expect(answer.json()).toMatchObject({ code: "unavailable", detail: expect.stringContaining("Running workspaces are not affected") });
  await away.close();
});

test("the development inbox shows mails, and does not exist if mail is really sent", async () => {
  const { form } = await registerSomebody(api);
  await api.database.pool.query("update mails set sent_at = now(), send_at = null");
  const inbox = (await api.call("GET", "/api/dev/inbox")).json();
  expect(inbox.messages.find((message: { to: string }) => message.to === form.email)).toMatchObject({
    subject: "Confirm your email address",
    links: [expect.stringContaining("/confirm-email?token=")],
  });
  const sending = await createTestApi({ developmentInbox: false });
  expect((await sending.call("GET", "/api/dev/inbox")).statusCode).toBe(404);
  await sending[Symbol.asyncDispose]();
});
