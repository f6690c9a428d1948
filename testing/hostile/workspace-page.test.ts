/**
 * A workspace's page against the panel, in a real browser: it is on a sub-domain, is same-site with the panel, and its
 * visitor is signed in to the panel in the same browser.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createGateway, type Gateway } from "#apps/gateway/create-gateway.ts";
import { startTestWorkspace, type TestWorkspace } from "../network/start-test-gateway.ts";
import { buildHealth } from "#apps/program/readiness.ts";
import { openFrontDoor, type FrontDoor } from "#apps/program/front-door/front-door.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { launchBrowser, pageTimeoutMs } from "../browser/chromium.ts";
import { findFreePort } from "../program/start-slipway.ts";
import { createTestApi, registerSomebody, type TestApi } from "../test-api.ts";

/** The panel's page records messages that it receives, and contains something worth reading. */
const panelPage = `<!doctype html><title>panel</title><h1>what only its reader may know</h1><script>addEventListener("message", (event) => { document.title = "heard " + event.data; });</script>`;
const attackPage = "<!doctype html><title>workspace</title><h1>A form of the workspace</h1>";
const worker = `addEventListener("fetch", (event) => event.respondWith(new Response("taken over")));`;

const lines: { path?: string; method?: string; status?: number }[] = [];
const log = createLog(
  "info",
  undefined,
  new Writable({ write: (chunk: Buffer, _encoding, done) => (lines.push(JSON.parse(chunk.toString()) as object), done()) }),
);

let port: number;
let panel: string;
let tenant: string;
let folder: string;
let api: TestApi;
let workspace: TestWorkspace;
let gateway: Gateway;
let door: FrontDoor;
let browser: Browser;
let token: string;
let attackersToken: string;

beforeAll(async () => {
  port = await findFreePort();
  panel = `http://panel.localhost:${port}`;
  tenant = `http://acme.panel.localhost:${port}`;
  folder = await mkdtemp(join(tmpdir(), "slipway-panel-"));
  await writeFile(join(folder, "index.html"), panelPage);
  const made = await createTestApi({ publicUrl: panel, webFolder: folder, log });
  api = {
    ...made,
    call: (method, path, options = {}) => made.call(method, path, { ...options, headers: { origin: panel, ...options.headers } }),
  };
  ({ token } = await registerSomebody(api));
  ({ token: attackersToken } = await registerSomebody(api));
  workspace = await startTestWorkspace((req, res) => {
    if (req.url === "/worker.js")
      return void res.writeHead(200, { "content-type": "text/javascript", "service-worker-allowed": "/" }).end(worker);
    // The workspace's attempts to affect other hosts with its headers.
    res
      .writeHead(200, {
        "content-type": "text/html",
        "set-cookie": `token=${attackersToken}; Domain=panel.localhost; Path=/`,
        "clear-site-data": '"cookies"',
      })
      .end(attackPage);
  });
  const lookUp = (name: string) =>
    Promise.resolve(name === "acme" ? ({ workspaceId: "w", state: "online", address: workspace.address, open: true } as const) : null);
  gateway = createGateway({ lookUp, panelUrl: panel, publicScheme: "http", probeToken: "", log, clock: systemClock });
  door = await openFrontDoor({
    panelHost: `panel.localhost:${port}`,
    port,
    hosts: ["127.0.0.1"],
    api: api.app,
    health: await buildHealth(() => Promise.resolve({ roles: true })),
    gateway,
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await door?.close();
  await gateway?.close();
  await workspace?.[Symbol.asyncDispose]();
  await api?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

let context: BrowserContext;
let page: Page;
/** The browser of a user who is signed in to the panel, on the page of a workspace. */
beforeEach(async () => {
  context = await browser.newContext();
  context.setDefaultTimeout(pageTimeoutMs);
  await context.addCookies([{ name: "token", value: token, url: panel, httpOnly: true, sameSite: "Lax" }]);
  page = await context.newPage();
  await page.goto(tenant);
  const { status } = await readMe();
  if (status !== 200) throw new Error(`the visitor is not signed in: ${status}`);
  return () => context.close();
});

/** The request as the panel's own page makes it. */
async function readMe(): Promise<{ status: number; body: string }> {
  const own = await context.newPage();
  await own.goto(panel);
  const answer = await own.evaluate(async () => {
    const response = await fetch("/api/auth/me");
    return { status: response.status, body: await response.text() };
  });
  await own.close();
  return answer;
}

/** The panel's answer to a request made by `act`; the log also knows answers that the page may not read. */
async function answersTo(method: string, path: string, act: () => Promise<unknown>): Promise<number[]> {
  const from = lines.length;
  const found = () =>
    lines
      .slice(from)
      .filter((line) => line.method === method && line.path === path)
      .map(({ status }) => status!);
  await act();
  await vi.waitFor(() => expect(found()).not.toEqual([]), { timeout: 20_000, interval: 20 });
  return found();
}

const outcome = (code: string): Promise<unknown> => page.evaluate(code);

test("fetch with credentials reads nothing, and gets no answer", async () => {
  const read = (mode: string) =>
    outcome(`fetch("${panel}/api/auth/me", { credentials: "include", mode: "${mode}" }).then((answer) => answer.text(), () => "refused")`);
  expect(await answersTo("GET", "/api/auth/me", async () => expect(await read("cors")).toBe("refused"))).toEqual([403]);
  // An opaque answer has no text; the panel's resource policy makes even that fail.
  expect(await answersTo("GET", "/api/auth/me", async () => expect(["", "refused"]).toContain(await read("no-cors")))).toEqual([403]);
});

test("fetch with a changing method changes nothing, with a preflight or without", async () => {
  const send = (type: string, mode: string) =>
    outcome(
      `fetch("${panel}/api/account/onboarding/skip", { method: "POST", credentials: "include", mode: "${mode}", headers: { "content-type": "${type}" }, body: '{"step":"apps"}' }).then(() => "sent", () => "refused")`,
    );
  expect(
    await answersTo("OPTIONS", "/api/account/onboarding/skip", async () => expect(await send("application/json", "cors")).toBe("refused")),
  ).toEqual([403]);
  expect(await answersTo("POST", "/api/account/onboarding/skip", () => send("text/plain", "no-cors"))).toEqual([403]);
  expect((await readMe()).body).not.toContain("skipped");
});

test("a form submitted to the panel is refused", async () => {
  const statuses = await answersTo("POST", "/api/account/onboarding/skip", async () => {
    await outcome(
      `document.body.innerHTML = '<form method="post" enctype="text/plain" action="${panel}/api/account/onboarding/skip"><input name=\\'{"step":"apps","a":"\\' value=\\'"}\\'></form>'; document.forms[0].submit()`,
    );
    await page.waitForURL(`${panel}/**`);
  });
  expect(statuses).toEqual([403]);
  expect((await readMe()).body).not.toContain("skipped");
});

test("clickjacking: the workspace cannot show the panel in a frame", async () => {
  const frame = async (url: string): Promise<string> => {
    await outcome(
      `new Promise((resolve) => { const frame = document.createElement("iframe"); frame.onload = resolve; frame.src = "${url}"; document.body.replaceChildren(frame); })`,
    );
    return page.frames().at(-1)!.content();
  };
  expect(await frame(`${tenant}/`)).toContain("A form of the workspace");
  for (const path of ["/", "/manage/billing", "/api/auth/me", "/api/docs/"])
    expect(await frame(panel + path), path).not.toMatch(/what only its reader may know|ada\d+@example|Slipway API/);
  expect(await outcome(`try { String(frames[0].document.body.textContent) } catch (error) { error.name }`)).toBe("SecurityError");
});

test("a panel window opened by the workspace is out of its reach, and receives no messages from it", async () => {
  const [opened] = await Promise.all([context.waitForEvent("page"), outcome(`window.theirs = window.open("${panel}/dashboard"); 0`)]);
  await opened.waitForLoadState();
  expect(await opened.evaluate("window.opener")).toBeNull();
  expect(
    await outcome(
      `try { document.domain = "panel.localhost"; } catch {} try { theirs.document.body.textContent } catch (error) { error.name }`,
    ),
  ).toMatch(/^(SecurityError|TypeError)$/);
  // The link between the windows is cut: to the workspace the other one looks closed.
  await expect.poll(() => outcome("theirs.closed")).toBe(true);
  await outcome(`theirs.postMessage("give me everything", "*")`);
  await opened.evaluate("new Promise((resolve) => setTimeout(resolve, 100))");
  expect(await opened.title()).toBe("panel");
});

test("document.domain opens nothing: the panel keeps its own origin", async () => {
  const own = await context.newPage();
  await own.goto(panel);
  expect(await own.evaluate(`try { document.domain = "localhost"; } catch {} [document.domain, window.originAgentCluster]`)).toEqual([
    "panel.localhost",
    true,
  ]);
});

test("a service worker of the workspace controls only the workspace", async () => {
  expect(
    await outcome(
      `navigator.serviceWorker.register("/worker.js", { scope: "/" }).then(() => navigator.serviceWorker.ready).then(({ scope }) => scope)`,
    ),
  ).toBe(`${tenant}/`);
  expect(
    await outcome(`navigator.serviceWorker.register("/worker.js", { scope: "${panel}/" }).then(() => "registered", (error) => error.name)`),
  ).toBe("SecurityError");
  await page.goto(tenant);
  expect(await page.textContent("body")).toBe("taken over");
  await page.goto(panel);
  expect(await page.textContent("h1")).toBe("what only its reader may know");
  expect(await page.evaluate("navigator.serviceWorker.controller")).toBeNull();
});

test("cookie tossing: a session planted for the panel's domain opens no other account", async () => {
  for (const path of ["/", "/api", "/api/auth"])
    await outcome(`document.cookie = "token=${attackersToken}; Domain=panel.localhost; Path=${path}"`);
  const { status, body } = await readMe();
  expect(await context.cookies(`${panel}/api/auth/me`)).not.toHaveLength(1);
  expect([status, JSON.parse(body)]).toMatchObject([401, { code: "signed_out" }]);
});

test("the workspace's headers reach neither the panel's cookies nor its storage", async () => {
  // The page itself set a cookie for the parent domain, and requested that the site's be cleared.
  const held = (await context.cookies(`${panel}/`)).map(({ name, value }) => [name, value]);
  expect(held.toSorted()).toEqual([
    ["slipway-signed-in", "1"],
    ["token", token],
  ]);
  expect(await outcome("document.cookie")).toBe(`token=${attackersToken}`);
});

test("the workspace's page cannot open an event stream of the panel", async () => {
  const statuses = await answersTo("GET", "/api/instance/events", async () =>
    expect(
      await outcome(
        `new Promise((resolve) => { const source = new EventSource("${panel}/api/instance/events", { withCredentials: true }); source.onopen = () => resolve("open"); source.onerror = () => { source.close(); resolve("refused"); }; })`,
      ),
    ).toBe("refused"),
  );
  expect(statuses).toEqual([403]);
});

test("the panel's host does not speak WebSocket", async () => {
  expect(
    await outcome(
      `new Promise((resolve) => { const socket = new WebSocket("${panel.replace("http", "ws")}/api/instance/events"); socket.onopen = () => resolve("open"); socket.onerror = () => resolve("refused"); })`,
    ),
  ).toBe("refused");
});

test.each(["img", "script", "link"])("an answer of the panel cannot be loaded as a %s", async (element) => {
  const path = "/api/account/payments";
  const statuses = await answersTo("GET", path, async () =>
    expect(
      await outcome(
        `new Promise((resolve) => { const taken = document.createElement("${element}"); taken.rel = "stylesheet"; taken.onload = () => resolve("taken"); taken.onerror = () => resolve("refused"); taken.${element === "link" ? "href" : "src"} = "${panel}${path}"; document.head.append(taken); })`,
      ),
    ).toBe("refused"),
  );
  expect(statuses).toEqual([403]);
});

test("a sign-out link followed from the workspace's page does not sign out", async () => {
  expect(await answersTo("GET", "/api/auth/logout", () => outcome(`location.href = "${panel}/api/auth/logout"; 0`))).toEqual([403]);
  expect((await readMe()).status).toBe(200);
});
