/** How the panel's page is served: its policy allows exactly what was built into it. */
import { createHash } from "node:crypto";
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RouteObject } from "react-router";
import { hasPage } from "#apps/web/src/lib/paths.ts";
import { routes } from "#apps/web/src/routes.tsx";
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
  await writeFile(join(folder, "assets", "a.js"), "export {};");
  api = await createTestApi({ webFolder: folder });
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
  ["/app-selection", 200],
  ["/send-confirmation?x=1", 200],
  ["/account/checkout?paid=1", 200],
  ["/help", 200],
  ["/help/timezone", 200],
  ["/help/no-such-answer", 404],
  ["/help/a/b", 404],
  ["/manage/nothing", 404],
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
    .map((path) => path.replace("/:question?", ""));
  expect(known.length).toBeGreaterThan(25);
  expect(known.filter((path) => !hasPage(path, []))).toEqual([]);
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

test.each(["/api/fe/config", "/assets/a.js", "/no-such-file.js", "/index.html"])("the policy of %s allows nothing inline", async (path) => {
  const policy = directives(await api.call("GET", path));
  expect(policy.get("script-src")).toEqual(["'self'"]);
  expect(policy.get("style-src")).toEqual(["'self'"]);
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
