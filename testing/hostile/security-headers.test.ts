/** What every kind of answer tells a browser: who may frame it, run in it, cache it, guess its type, or access its window. */
import { servePaddle } from "#payments/paddle/serve-paddle.ts";
import { once } from "node:events";
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildHealth } from "#apps/program/readiness.ts";
import { buildRegistration } from "../accounts/build-registration.ts";
import { startTestGateway, type TestGateway } from "../network/start-test-gateway.ts";
import { sessionCookie } from "#platform/http/session-cookie.ts";
import { workspaces } from "#database/tables.ts";
import { createSandboxApi, payingForm, registerOnTrial, type SandboxApi } from "../payments/sandbox-api.ts";
import { ask } from "../ask.ts";
import { backupOf, storeFile } from "../database/stored-rows.ts";

type Headers = IncomingHttpHeaders | Record<string, unknown>;

/** A rule by the header's name. */
type Rules = Readonly<Record<string, RegExp>>;

const everywhere: Rules = {
  "content-security-policy": /(^|;) ?default-src '(none|self)'.*frame-ancestors 'none'/,
  "x-content-type-options": /^nosniff$/,
};
const inBrowsers: Rules = {
  ...everywhere,
  "x-frame-options": /^DENY$/,
  "referrer-policy": /^(no-referrer|strict-origin|strict-origin-when-cross-origin)$/,
  "cross-origin-opener-policy": /^same-origin$/,
  "cross-origin-resource-policy": /^same-origin$/,
  "permissions-policy": /camera=\(\), microphone=\(\), geolocation=\(\)/,
};
/** For personal data: no cache keeps it, neither the browser's nor one in between. */
const personal: Rules = { ...inBrowsers, "cache-control": /^no-store$/ };
const page: Rules = {
  ...inBrowsers,
  "cache-control": /^no-cache$/,
  "content-security-policy":
    /script-src 'self'( 'sha256-[^']+')*;.*object-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none'/,
};
/** A file that is a page or a worker by itself. */
const asset: Rules = { ...inBrowsers, "cache-control": /^public, max-age=31536000, immutable$/ };
/** Scripts, fonts and pictures: what only pages need is left out, and nothing runs in them or around them. */
const partOfPages: Rules = {
  "content-security-policy": /^default-src 'none';frame-ancestors 'none'$/,
  "x-content-type-options": /^nosniff$/,
  "cross-origin-resource-policy": /^same-origin$/,
  "cache-control": /^public, max-age=31536000, immutable$/,
};
/** Pages of the included provider: nothing but their own script and style. */
const sandboxPage: Rules = {
  ...personal,
  "content-security-policy": /^default-src 'none'; script-src 'self'; style-src 'self'.*frame-ancestors 'none'/,
  "referrer-policy": /^no-referrer$/,
};

const broken = (headers: Headers, rules: Rules): string[] =>
  Object.entries(rules).flatMap(([name, rule]) => (rule.test(String(headers[name])) ? [] : [`${name}: ${String(headers[name])}`]));

describe.each(["http", "https"] as const)("over %s", (scheme) => {
  const isSecure = scheme === "https";
  const cookieName = isSecure ? "__Host-token" : "token";
  let folder: string;
  let api: SandboxApi;
  let gateway: TestGateway;
  let cookie: string;
  let paths: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "slipway-headers-"));
    await mkdir(join(folder, "assets"));
    await writeFile(join(folder, "index.html"), "<!doctype html><script>document.title</script><style>body{}</style>");
    for (const name of ["a.js", "a.woff2", "a.webp", "a.svg", "a.worker-b.js"])
      await writeFile(join(folder, "assets", name), name.endsWith("js") ? "export {};" : "a");
    const paddle = {
      clientToken: "public",
      environment: "sandbox",
      publicUrl: "http://localhost:3000",
      mayBePaid: () => Promise.resolve(true),
    } as const;
    api = await createSandboxApi({ webFolder: folder, cookie: sessionCookie(isSecure), providerPage: (app) => servePaddle(app, paddle) });
    gateway = await startTestGateway({ publicScheme: scheme, panelUrl: `${scheme}://localhost:3000/` });
    const token = await registerOnTrial(api);
    cookie = `${cookieName}=${token}`;
    paths = await somebodysThings(token);
  });
  afterAll(async () => {
    await api?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  async function somebodysThings(token: string): Promise<Record<string, string>> {
    const paid = new URL(await api.openCheckout(token, "starter-monthly"));
    await api.send(String(paid), payingForm({ shown: "2400" }));
    await api.call("POST", "/api/account/complete-checkout", { token, body: { planId: "starter-monthly" } });
    const { transactions } = (await api.call("GET", "/api/account/transactions", { token })).json() as {
      transactions: { id: string; hasInvoice: boolean }[];
    };
    const [workspace] = await api.database.db
      .update(workspaces)
      .set({ observedState: "online", observedGeneration: 1, observedVersion: "2.40.7", reconcileAt: null })
      .returning();
    // An account has only one open page at a time, and a customer has none: this one is for another account.
    const checkout = new URL(await api.openCheckout(await registerOnTrial(api))).pathname;
    const id = await backupOf(api, workspace!);
    await storeFile(api, `backups/${id}`, Buffer.from("a backup"));
    const link = await api.call("POST", `/api/export/backups/${id}/download`, { token, body: { password: "correct horse battery" } });
    return {
      checkout,
      invoice: `/api/account/transactions/${transactions.find(({ hasInvoice }) => hasInvoice)?.id}/invoice`,
      download: new URL((link.json() as { url: string }).url).pathname,
    };
  }

  const kinds: [what: string, path: string | (() => string), status: number, rules: Rules][] = [
    ["the panel's page", "/", 200, page],
    ["the page of the sign-in", "/login", 200, page],
    ["an address of the panel that there is not", "/no/such/page", 404, page],
    ["a script of the panel", "/assets/a.js", 200, partOfPages],
    ["a font of the panel", "/assets/a.woff2", 200, partOfPages],
    ["a picture of the panel", "/assets/a.webp", 200, partOfPages],
    ["a picture of the panel that may contain scripts", "/assets/a.svg", 200, asset],
    ["a worker of the panel", "/assets/a.worker-b.js", 200, asset],
    ["a file that there is not", "/assets/none.js", 404, inBrowsers],
    ["who is signed in", "/api/auth/me", 200, personal],
    ["a list of payments", "/api/account/payments", 200, personal],
    ["a refused call", "/api/account/transactions/x/invoice", 404, personal],
    ["a call that there is not", "/api/nothing", 404, personal],
    ["an address that no decoder reads", "/%", 400, personal],
    ["a part of an address that is too long", `/api/v1/paddle/plan/${"a".repeat(300)}`, 400, personal],
    ["what the panel may show before a sign-in", "/api/fe/config", 200, personal],
    ["the API's reference", "/api/docs/", 200, { ...inBrowsers, "content-security-policy": /default-src 'self'.*frame-ancestors 'none'/ }],
    ["the API's description", "/api/openapi.json", 200, personal],
    ["an invoice", () => paths["invoice"]!, 200, personal],
    [
      "a download of a backup",
      () => paths["download"]!,
      200,
      { ...personal, "content-disposition": /^attachment; filename="/, "content-type": /^application\/gzip$/ },
    ],
    ["a download link that is used up", () => paths["download"]!, 410, personal],
    ["a checkout of the sandbox", () => paths["checkout"]!, 200, sandboxPage],
    ["the script of the sandbox", "/sandbox/checkout.js", 200, { ...inBrowsers, "content-type": /javascript/ }],
    ["a checkout of the sandbox that is gone", "/sandbox/checkout/none", 410, sandboxPage],
    [
      "the page for Paddle's checkout",
      "/paddle/checkout",
      200,
      { ...personal, "content-security-policy": /^default-src 'none';.*form-action 'none'; frame-ancestors 'none'/ },
    ],
    ["the health of the panel", "/healthz", 200, { ...everywhere, "cache-control": /^no-store$/ }],
    ["the readiness of the panel", "/readyz", 200, { ...everywhere, "cache-control": /^no-store$/ }],
  ];

  test.each(kinds)("%s carries its headers", async (_what, path, status, rules) => {
    const answer = await api.call("GET", typeof path === "string" ? path : path(), { headers: { cookie } });
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(status);
    expect(
      broken(answer.headers, { ...rules, "strict-transport-security": isSecure ? /^max-age=31536000; includeSubDomains$/ : /^undefined$/ }),
    ).toEqual([]);
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
    for (const talkative of ["server", "x-powered-by"]) expect(answer.headers).not.toHaveProperty(talkative);
  });

  test.each([
    ["text/html", "nobody"],
    ["application/json", "nobody"],
    ["text/plain", "nobody"],
    ["text/html", "-"],
    ["text/html", "stopped"],
  ])("the gateway's own answer in %s for the workspace %s carries its headers", async (accept, name) => {
    gateway.setRoute("stopped", { workspaceId: "w", state: "stopped", address: null, open: false });
    const answer = await ask(`http://127.0.0.1:${gateway.port}/`, { headers: { host: `${name}.localhost`, accept } });
    expect(answer.status).toBe(name === "stopped" ? 503 : 404);
    expect(
      broken(answer.headers, {
        ...personal,
        "content-security-policy":
          /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
        "referrer-policy": /^no-referrer$/,
        "strict-transport-security": isSecure ? /^max-age=31536000; includeSubDomains$/ : /^undefined$/,
      }),
    ).toEqual([]);
  });

  test("the session cookie is host-only, unreadable for scripts, and on https cannot be set by another host", async () => {
    const registered = await api.call("POST", "/api/auth/register", {
      body: buildRegistration({ accountName: `eve-${scheme}` }),
    });
    const [session, mark, browser] = [registered.headers["set-cookie"] ?? []].flat();
    expect(session).toMatch(
      new RegExp(`^${cookieName}=[\\w-]{20,}; Max-Age=2592000; Path=/; HttpOnly;${isSecure ? " Secure;" : ""} SameSite=Lax$`),
    );
    expect(mark).toMatch(new RegExp(`^slipway-signed-in=1; Max-Age=2592000; Path=/;${isSecure ? " Secure;" : ""} SameSite=Lax$`));
    expect(browser).toMatch(
      new RegExp(
        `^${isSecure ? "__Host-" : ""}slipway-browser=[\\w-]{43}\\.[\\w-]{43}; Max-Age=15552000; Path=/; HttpOnly;${isSecure ? " Secure;" : ""} SameSite=Lax$`,
      ),
    );
    const out = await api.call("GET", "/api/auth/logout", { headers: { cookie: String(session).split(";")[0]! } });
    expect(String(out.headers["set-cookie"])).toMatch(new RegExp(`^${cookieName}=;.*Path=/`));
  });
});

test("a refused upgrade at the gateway is neither cached nor sniffed", async () => {
  await using gateway = await startTestGateway();
  const socket = connect({ port: gateway.port, host: "127.0.0.1" });
  let answer = "";
  socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
  socket.write(
    "GET / HTTP/1.1\r\nHost: nobody.localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  await once(socket, "close");
  expect(answer).toMatch(/^HTTP\/1.1 404 .*\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n/s);
});

test("the health of a process without a panel is not cached either", async () => {
  const health = await buildHealth(() => Promise.resolve({ roles: true }));
  for (const url of ["/healthz", "/readyz"])
    expect(broken((await health.inject({ url })).headers, { ...everywhere, "cache-control": /^no-store$/ })).toEqual([]);
  await health.close();
});
