/** A page of a workspace fills the visitor's browser with cookies for the domain above it. */
import { connect } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { launchBrowser } from "#testing/browser/chromium.ts";
import { startTestWorkspace, type TestWorkspace } from "#testing/network/start-test-gateway.ts";
import { findFreePort } from "#testing/program/start-slipway.ts";
import { createGateway, type Gateway } from "../../gateway/create-gateway.ts";
import { buildHealth } from "../readiness.ts";
import { openFrontDoor } from "./front-door.ts";

let workspace: TestWorkspace;
let gateway: Gateway;
let api: FastifyInstance;
let health: FastifyInstance;
const seen: string[] = [];

const filling = `<!doctype html><title>hostile</title><script>
  for (let i = 0; i < 9; i += 1) document.cookie = "junk" + i + "=" + "x".repeat(4000) + "; domain=slipway.test; path=/";
</script>`;

beforeAll(async () => {
  workspace = await startTestWorkspace((req, res) => {
    seen.push(req.url!);
    res.setHeader("content-type", "text/html").end(filling);
  });
  gateway = createGateway({
    lookUp: async (name) => (name === "acme" ? { workspaceId: "w", state: "online", address: workspace.address, open: true } : null),
    panelUrl: "http://app.slipway.test",
    publicScheme: "http",
    probeToken: "",
    log: createLog("silent"),
    clock: systemClock,
  });
  api = fastify();
  api.get("/*", async (_request, reply) => reply.type("text/html").send("<!doctype html><title>the panel</title>"));
  await api.ready();
  health = await buildHealth(async () => ({ roles: true }));
});
afterAll(async () => {
  await gateway.close();
  await workspace[Symbol.asyncDispose]();
});

async function openDoor(panelUrl = "https://app.slipway.test"): Promise<number> {
  const port = await findFreePort();
  const door = await openFrontDoor({ panelHost: "app.slipway.test", panelUrl, port, hosts: ["127.0.0.1"], api, health, gateway });
  onTestFinished(() => door.close());
  return port;
}

/** Sends the pieces one after the other and returns the whole response. */
async function send(port: number, ...pieces: string[]): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const closed = new Promise((resolve) => socket.once("close", resolve).on("error", () => undefined));
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk.toString()));
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await closed;
  return answer;
}

const cookies = (count: number): string => Array.from({ length: count }, (_, index) => `junk${index}=${"x".repeat(4000)}`).join("; ");
const head = (host: string, more: string, path = "/") =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html\r\nConnection: close\r\n${more}\r\n\r\n`;

const deleted = /^HTTP\/1\.1 431 [^]*\r\nclear-site-data: "cookies"\r\n/i;
const plain = /^HTTP\/1\.1 431 Request Header Fields Too Large\r\nConnection: close\r\n\r\n$/;

test.each(["app.slipway.test", "acme.app.slipway.test"])("%s says that there are too many cookies, and deletes them", async (host) => {
  const port = await openDoor();
  seen.length = 0;
  for (const count of [4, 9, 40]) {
    const answer = await send(port, head(host, `Cookie: token=mine; ${cookies(count)}`));
    expect(answer).toMatch(deleted);
    expect(answer).toContain("Your browser sent too many cookies");
    for (const domain of ["app.slipway.test", "slipway.test"])
      expect(answer).toMatch(new RegExp(`\r\nset-cookie: junk3=; Domain=${domain}; Path=/; Max-Age=0\r\n`, "i"));
    expect(answer).toMatch(/cache-control: no-store/i);
  }
  expect(seen).toEqual([]);
});

test("a program gets the same refusal as JSON, a German visitor in German, and cookies of an ordinary size pass", async () => {
  const port = await openDoor();
  const json = await send(port, head("app.slipway.test", `Cookie: ${cookies(4)}`).replace("text/html", "application/json"));
  expect(json).toContain('"code":"cookies_too_large"');
  const german = await send(port, head("app.slipway.test", `Accept-Language: de\r\nCookie: ${cookies(4)}`));
  expect(german).toContain("Ihr Browser hat zu viele Cookies gesendet");
  expect(await send(port, head("app.slipway.test", `Cookie: ${cookies(2)}`))).toContain("the panel");
});

test("cookies that arrive in pieces are recognized", async () => {
  const port = await openDoor();
  const [start, ...rest] = head("app.slipway.test", `Cookie: ${cookies(12)}`).match(/[^]{1,10000}/g)!;
  expect(await send(port, start!, ...rest)).toMatch(deleted);
});

test.each([
  ["a path", head("app.slipway.test", "Cookie: token=mine", `/?a=${"x".repeat(40_000)}`)],
  ["a path with what looks like a cookie", head("app.slipway.test", "Cookie: token=mine", `/?a=;%20b=1;${"x".repeat(40_000)}`)],
  ["another header", head("app.slipway.test", `Cookie: token=mine\r\nX-Long: ${"x".repeat(40_000)}`)],
])("%s that is too long, such as another site's link, deletes nothing", async (_what, request) => {
  const port = await openDoor();
  expect(await send(port, request)).toMatch(plain);
  expect(await send(port, ...request.match(/[^]{1,10000}/g)!)).toMatch(plain);
});

test("other requests that the parser refuses are answered as before", async () => {
  const port = await openDoor();
  expect(await send(port, "nonsense\r\n\r\n")).toBe("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
});

test.each([
  ["http", "the cookies that were sent are deleted"],
  ["https", "all cookies are deleted"],
])(
  "in a browser that a workspace's page filled with cookies, panel and workspaces work again after one reload: by %s %s",
  async (scheme) => {
    const port = await openDoor(`${scheme}://app.slipway.test`);
    const hosts = ["app.slipway.test", "acme.app.slipway.test"].map((host) => `http://${host}:${port}`);
    const secure = scheme === "https" ? [`--unsafely-treat-insecure-origin-as-secure=${hosts.join(",")}`] : [];
    const browser = await launchBrowser({ args: ["--host-resolver-rules=MAP *.slipway.test 127.0.0.1", ...secure] });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const kept = { name: "session", value: "mine", url: hosts[0]! };
    await page.context().addCookies([kept]);
    await page.goto(`${hosts[1]}/`);
    expect(await page.context().cookies()).toHaveLength(10);
    expect((await page.goto(`${hosts[0]}/`))!.status()).toBe(431);
    expect(await page.textContent("h1")).toBe("Your browser sent too many cookies");
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual(scheme === "https" ? [] : ["session"]);
    expect((await page.reload())!.status()).toBe(200);
    expect(await page.title()).toBe("the panel");
    expect((await page.goto(`${hosts[1]}/`))!.status()).toBe(200);
  },
);
