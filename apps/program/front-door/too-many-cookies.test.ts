/** A page of a workspace fills the visitor's browser with cookies for the domain above it. */
import { connect, type AddressInfo } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { launchBrowser } from "#testing/browser/chromium.ts";
import { selfSigned } from "#testing/network/self-signed.ts";
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
    res.setHeader("content-type", "text/html").end(req.url === "/quiet" ? "<!doctype html><title>quiet</title>" : filling);
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

const deleted = /^HTTP\/1\.1 431 (?![^]*clear-site-data)[^]*\r\nset-cookie: junk\d+=; /i;
const linesOf = (answer: string): string[] => [...answer.matchAll(/\r\nset-cookie: ([^\r]*)/gi)].map(([, line]) => line!);
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
  const odd = head("app.slipway.test", `Cookie: ${cookies(12).replaceAll(/junk(\d+)/g, "odd($1)")}`).match(/[^]{1,10000}/g)!;
  expect(await send(port, ...odd)).toMatch(/\r\nset-cookie: odd\(\d+\)=; Domain=slipway\.test; Path=\/;/i);
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

test("what is deleted is what was sent, on each domain and path that it may have; the session and other small cookies stay", async () => {
  const port = await openDoor();
  const own = "__Host-token=mine; n8n-auth=signed";
  const at = async (host: string, path: string) => linesOf(await send(port, head(host, `Cookie: ${own}; ${cookies(4)}`, path)));
  const panel = await at("app.slipway.test", "/manage/versions?x=1");
  expect(panel.filter((line) => line.startsWith("junk3=")).toSorted()).toEqual(
    ["/", "/manage", "/manage/", "/manage/versions"]
      .flatMap((path) =>
        ["app.slipway.test", "slipway.test"].flatMap((domain) => {
          const line = `junk3=; Domain=${domain}; Path=${path}; Max-Age=0`;
          return [line, `${line}; Secure; Partitioned`];
        }),
      )
      .toSorted(),
  );
  // Without a domain it would be the panel's own.
  expect(panel.filter((line) => !line.includes("; Domain="))).toEqual([]);
  const workspace = await at("acme.app.slipway.test", "/");
  expect(workspace).toContain("junk3=; Path=/; Max-Age=0");
  expect(workspace).toContain("junk3=; Domain=acme.app.slipway.test; Path=/; Max-Age=0");
  expect([...panel, ...workspace].filter((line) => /token|auth/.test(line))).toEqual([]);
});

test("however many cookies there are, and whatever they are called, the answer is bounded and each reload deletes some", async () => {
  const port = await openDoor();
  const many = Array.from({ length: 400 }, (_, index) => `j${index}=${"x".repeat(80)}`).join("; ");
  const long = Array.from({ length: 4 }, (_, index) => `${index}${"n".repeat(3900)}=1`).join("; ");
  const odd = ["we(i)rd", "a b", "caf\u00e9", "__Secure-x"].map((name) => `${name}=${"x".repeat(3500)}`).join("; ");
  for (const sent of [many, long, odd]) {
    const lines = linesOf(
      await send(port, Buffer.from(head("acme.app.slipway.test", `Cookie: ${sent}`, "/a/b/c/d/e/f")).toString("latin1")),
    );
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join("").length).toBeLessThan(64 * 1024);
  }
  const oddLines = linesOf(await send(port, head("app.slipway.test", `Cookie: ${odd}`)));
  for (const line of ["we(i)rd=; Domain=slipway.test; Path=/; Max-Age=0", "__Secure-x=; Domain=slipway.test; Path=/; Max-Age=0; Secure"])
    expect(oddLines).toContain(line);
});

/** As a proxy does it in production: TLS in front of the door, and each head passed on as a whole. */
async function openTls(port: number): Promise<number> {
  const server = createTlsServer(selfSigned("app.slipway.test"), (visitor) => {
    const door = connect({ port, host: "127.0.0.1" });
    let head = Buffer.alloc(0);
    visitor.on("data", (chunk) => {
      head = Buffer.concat([head, chunk]);
      if (!head.includes("\r\n\r\n")) return;
      door.write(head);
      head = Buffer.alloc(0);
    });
    visitor.on("close", () => door.destroy()).on("error", () => undefined);
    door.on("error", () => visitor.destroy()).pipe(visitor);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** How a page may set cookies for others. Chromium keeps too few partitioned ones for a refusal: 10 KB. */
const fillings = ["Domain=slipway.test; Path=/", "Domain=app.slipway.test; Path=/manage"];

test.each(["http", "https"])(
  "in a browser that a workspace's page filled with cookies, panel and workspaces work again after one reload, and the session stays: by %s",
  async (scheme) => {
    const door = await openDoor(`${scheme}://app.slipway.test`);
    const port = scheme === "https" ? await openTls(door) : door;
    const hosts = ["app.slipway.test", "acme.app.slipway.test"].map((host) => `${scheme}://${host}:${port}`);
    const browser = await launchBrowser({ args: ["--host-resolver-rules=MAP *.slipway.test 127.0.0.1", "--ignore-certificate-errors"] });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const names = async () => (await page.context().cookies()).map(({ name }) => name).toSorted();
    // What a page sets is there only a moment later.
    const filled = (count: number) => expect.poll(async () => (await names()).length).toBe(2 + count);
    await page.context().addCookies([
      { name: "session", value: "mine", url: hosts[0]! },
      { name: "editor", value: "mine", url: hosts[1]! },
    ]);
    await page.goto(`${hosts[1]}/`);
    await filled(9);
    expect((await page.goto(`${hosts[0]}/`))!.status()).toBe(431);
    expect(await page.textContent("h1")).toBe("Your browser sent too many cookies");
    expect(await names()).toEqual(["editor", "session"]);
    expect((await page.reload())!.status()).toBe(200);
    expect(await page.title()).toBe("the panel");
    for (const filling of fillings) {
      expect((await page.goto(`${hosts[1]}/quiet`))!.status()).toBe(200);
      await page.evaluate((parts) => {
        for (let i = 0; i < 8; i += 1) document.cookie = `odd(${i})=${"x".repeat(4000)}; ${parts}`;
        document.cookie = `=${"x".repeat(4000)}; ${parts}`;
      }, filling);
      await filled(9);
      expect((await page.goto(`${hosts[0]}/manage/versions`))!.status(), filling).toBe(431);
      expect(await names(), filling).toEqual(["editor", "session"]);
      expect((await page.reload())!.status()).toBe(200);
    }
    // What it set for its own host goes when that host is visited.
    await page.goto(`${hosts[1]}/quiet`);
    await page.evaluate(() => {
      for (let i = 0; i < 9; i += 1) document.cookie = `own${i}=${"x".repeat(4000)}; Path=/`;
    });
    await filled(9);
    expect((await page.goto(`${hosts[1]}/`))!.status()).toBe(431);
    expect(await names()).toEqual(["editor", "session"]);
    expect((await page.reload())!.status()).toBe(200);
  },
);
