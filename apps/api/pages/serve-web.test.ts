/** How the panel's page is served: its policy allows exactly what was built into it. */
import { createHash } from "node:crypto";
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { RouteObject } from "react-router";
import { hasPage } from "#apps/web/src/lib/paths.ts";
import { routes } from "#apps/web/src/routes.tsx";
import { sessionCookie } from "#platform/http/session-cookie.ts";
import { createTestApi, type TestApi } from "#testing/test-api.ts";

const script = `document.documentElement.dataset.theme = "dark";`;
const style = "body{color:#123456}\n";
const html = `<!doctype html><html><head><script>${script}</script><script type="module" src="/assets/a.js"></script><style>${style}</style></head></html>`;
const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

let folder: string;
let api: TestApi;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "slipway-web-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), html);
  for (const name of ["a.js", "a.js.br", "a.worker-b.js"]) await writeFile(join(folder, "assets", name), "export {};");
  const parts = Object.fromEntries(
    ["/", "/login", "/dashboard", "/help", "/manage/logs", "/manage/billing/invoices"].map((path) => [path, [`assets${path}.js`, "b.js"]]),
  );
  await writeFile(join(folder, "page-parts.json"), JSON.stringify(parts));
  api = await createTestApi({ webFolder: folder, developmentInbox: false });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const directives = (answer: { headers: Record<string, unknown> }) =>
  new Map(
    String(answer.headers["content-security-policy"])
      .split(";")
      .map((line) => [line.split(" ")[0]!, line.split(" ").slice(1)]),
  );

/** The page as it was built, with the footer's links added. */
const sent = html.replace(
  "</head>",
  `<meta name="slipway-links" content="{&quot;status&quot;:&quot;https://s.example&quot;,&quot;impressum&quot;:&quot;https://i.example&quot;,&quot;privacy&quot;:&quot;https://p.example&quot;,&quot;terms&quot;:&quot;https://t.example&quot;}"></head>`,
);

test.each([
  ["/", 200],
  ["/login", 200],
  ["/Login/", 200],
  ["/manage/instance", 200],
  ["/manage/settings", 200],
  ["/app-selection", 200],
  ["/send-confirmation?x=1", 200],
  ["/account/checkout?paid=1", 200],
  ["/help", 200],
  ["/help/timezone", 200],
  ["/help/no-such-answer", 404],
  ["/help/a/b", 404],
  ["/manage/nothing", 404],
  ["/manage/billing/invoices/019a0000-0000-7000-8000-000000000000", 200],
  ["/manage/billing/invoices/2026-000001", 404],
  ["/no/such/page?x=1", 404],
  ["//login", 404],
  ["/%6Cogin%", 400],
])("%s is answered with %i", async (path, status) => {
  const page = await api.call("GET", path);
  expect(page.statusCode).toBe(status);
  if (status !== 400) expect(page.body).toBe(sent);
  expect((await api.call("HEAD", path)).statusCode).toBe(status);
});

test("the server knows every page of the panel's router", () => {
  const pathsOf = (list: RouteObject[]): string[] =>
    list.flatMap(({ path, children }) => [...(path ? [path] : []), ...pathsOf(children ?? [])]);
  const known = pathsOf(routes)
    .filter((path) => path !== "*")
    .map((path) => path.replace("/:question?", "").replace(":id", "019a0000-0000-7000-8000-000000000000"));
  expect(known.length).toBeGreaterThan(25);
  expect(known.filter((path) => !hasPage(path, []))).toEqual([]);
});

const who = "</api/auth/me>;rel=preload;as=fetch;crossorigin=use-credentials";
const partsOf = (path: string) => `</assets${path}.js>;rel=modulepreload;fetchpriority=low, </b.js>;rel=modulepreload;fetchpriority=low`;

test.each([
  ["/login", partsOf("/login"), `${who}, ${partsOf("/dashboard")}`],
  ["/", partsOf("/login"), `${who}, ${partsOf("/dashboard")}`],
  ["/Dashboard/?a=1", partsOf("/login"), `${who}, ${partsOf("/dashboard")}`],
  ["/manage/logs", partsOf("/login"), `${who}, ${partsOf("/manage/logs")}`],
  ["/help/timezone", partsOf("/help"), `${who}, ${partsOf("/help")}`],
  ["/manage/billing/invoices/7", partsOf("/login"), `${who}, ${partsOf("/manage/billing/invoices")}`],
  ["/account/continue", partsOf("/login"), who],
  ["/reset-password", undefined, undefined],
  ["/confirm-email?token=a", undefined, undefined],
  ["/change-email?token=a", undefined, undefined],
  ["/nothing", undefined, undefined],
])("with %s the browser is told what the page needs, as a visitor and as a signed-in user", async (path, asVisitor, asUser) => {
  expect((await api.call("GET", path)).headers["link"]).toBe(asVisitor);
  expect((await api.call("GET", path, { headers: { cookie: "slipway-signed-in=1" } })).headers["link"]).toBe(asUser);
});

test("if there is a front page, a visitor's browser is told what that page needs", async () => {
  await using other = await createTestApi({ webFolder: folder, hasFrontPage: true });
  expect((await other.call("GET", "/")).headers["link"]).toBe(
    "</assets/.js>;rel=modulepreload;fetchpriority=low, </b.js>;rel=modulepreload;fetchpriority=low",
  );
});

test("whatever services the policy allows and however many parts a page has, its headers fit into a proxy's 4 KB", async () => {
  const other = await mkdtemp(join(tmpdir(), "slipway-web-"));
  onTestFinished(() => rm(other, { recursive: true }));
  await writeFile(join(other, "index.html"), html);
  const files = Array.from({ length: 60 }, (_, place) => `assets/abcdef${String(place).padStart(2, "0")}.js`);
  await writeFile(join(other, "page-parts.json"), JSON.stringify({ "/dashboard": files }));
  await using full = await createTestApi({
    webFolder: other,
    cookie: sessionCookie(true),
    outside: {
      challenge: "turnstile",
      analytics: { postHog: { key: "a", host: "https://analytics.operator.example" }, tagManager: { id: "GTM-ABCDEF" } },
      sentryDsn: "https://key@o1234567.ingest.de.sentry.example/1",
      sentryEnvironment: "production",
    },
  });
  const { headers } = await full.call("GET", "/dashboard", { headers: { cookie: "slipway-signed-in=1", "accept-encoding": "br" } });
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  expect(head.join("").length).toBeLessThan(4_000);
  const link = String(headers["link"]).split(", ");
  expect(link[0]).toBe(who);
  expect(link.length).toBeGreaterThan(30);
  expect(link.slice(1)).toEqual(files.slice(0, link.length - 1).map((name) => `</${name}>;rel=modulepreload;fetchpriority=low`));
});

test("an unknown path is 404 even for a browser that has the page", async () => {
  const etag = String((await api.call("GET", "/login")).headers["etag"]);
  expect((await api.call("GET", "/no/such/page", { headers: { "if-none-match": etag } })).statusCode).toBe(404);
});

test.each(["/", "/login", "/no/such/page?x=1"])(
  "the policy of %s allows the script and the styles in the page, and no others",
  async (path) => {
    const page = await api.call("GET", path);
    expect(page.body).toBe(sent);
    expect(page.headers["cache-control"]).toBe("no-cache");
    const policy = directives(page);
    expect(policy.get("script-src")).toEqual(["'self'", hash(script)]);
    expect(policy.get("style-src")).toEqual(["'self'", hash(style)]);
  },
);

test.each(["/api/fe/config", "/assets/a.worker-b.js", "/no-such-file.js", "/index.html", "/page-parts.json"])(
  "the policy of %s allows nothing inline",
  async (path) => {
    const policy = directives(await api.call("GET", path));
    expect(policy.get("script-src")).toEqual(["'self'"]);
    expect(policy.get("style-src")).toEqual(["'self'"]);
  },
);

test.each(["identity", "br"])("a script has no headers that browsers read only from pages, sent as %s", async (encoding) => {
  const { headers } = await api.call("GET", "/assets/a.js", { headers: { "accept-encoding": encoding } });
  expect(headers["content-encoding"] ?? "identity").toBe(encoding);
  // Every byte is sent about fifteen times before a page is painted.
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  expect(head.join("").length).toBeLessThan(600);
  expect(headers["content-security-policy"]).toBe("default-src 'none';frame-ancestors 'none'");
  for (const name of ["permissions-policy", "referrer-policy", "cross-origin-opener-policy", "x-frame-options"])
    expect(headers).not.toHaveProperty(name);
  // A page or worker of the same name would have them all.
  expect((await api.call("GET", "/assets/a.worker-b.js")).headers).toHaveProperty("permissions-policy");
});

test("a new build during a run changes neither the page nor its hashes", async () => {
  await writeFile(join(folder, "index.html"), html.replace(style, "body{color:red}"));
  const page = await api.call("GET", "/login");
  expect(page.body).toBe(sent);
  expect(directives(page).get("style-src")).toContain(hash(style));
});

const read: Record<string, (body: Buffer) => string> = {
  br: (body) => brotliDecompressSync(body).toString(),
  gzip: (body) => gunzipSync(body).toString(),
  none: String,
};

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip;q=1.0, br;q=0", "gzip"],
  ["BR ; q=0.5", "br"],
  ["br;q=0.0,gzip;q=0", "none"],
  ["identity", "none"],
  ["", "none"],
])("a browser that accepts %j gets the page as %s", async (accepted, encoding) => {
  const page = await api.call("GET", "/login", { headers: { "accept-encoding": accepted } });
  expect(page.headers["content-encoding"] ?? "none").toBe(encoding);
  expect(page.headers["vary"]).toBe("accept-encoding");
  expect(read[encoding]!(page.rawPayload)).toBe(sent);
});

test("a browser that has the page gets only the policy again", async () => {
  const first = await api.call("GET", "/login");
  const again = await api.call("GET", "/register", { headers: { "if-none-match": String(first.headers["etag"]) } });
  expect(again.statusCode).toBe(304);
  expect(again.body).toBe("");
  expect(again.headers["content-security-policy"]).toBe(first.headers["content-security-policy"]);
});

test("a HEAD request gets the page's headers", async () => {
  const head = await api.call("HEAD", "/login");
  expect([head.statusCode, head.headers["content-length"], head.body]).toEqual([200, String(sent.length), ""]);
});

test("the page says which engine it sells and whether there is a front page, before any call is answered", async () => {
  await using other = await createTestApi({
    webFolder: folder,
    hasFrontPage: true,
    developmentInbox: false,
    delivery: { engine: "node-red", n8nLicense: false },
  });
  const { body } = await other.call("GET", "/");
  expect(body).toContain(
    '<meta name="slipway-first-page" content="{&quot;engine&quot;:&quot;node-red&quot;,&quot;hasFrontPage&quot;:true}"></head>',
  );
});

test("the page says that there is analytics to consent to, before any call is answered", async () => {
  const outside = {
    challenge: "off",
    analytics: { postHog: null, tagManager: { id: "GTM-ABCDEF" } },
    sentryDsn: undefined,
    sentryEnvironment: "test",
  } as const;
  await using other = await createTestApi({ webFolder: folder, developmentInbox: false, outside });
  const { body } = await other.call("GET", "/login");
  expect(body).toContain('<meta name="slipway-first-page" content="{&quot;asksConsent&quot;:true}"></head>');
});

test("the page says that there is a development inbox, so that lines that link to it do not appear later", async () => {
  await using other = await createTestApi({ webFolder: folder, developmentInbox: true });
  const { body } = await other.call("GET", "/login");
  expect(body).toContain('<meta name="slipway-first-page" content="{&quot;developmentInbox&quot;:true}"></head>');
});
