import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createLog } from "#platform/log.ts";
import { findFreePort } from "#testing/program/start-slipway.ts";
import { openInnerPort } from "../open-inner-port.ts";
import { answerAsks } from "./answer-asks.ts";

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/** The status for each request; `lookedUp` are the names that reached the database. */
async function proxyOf(
  hasWorkspace: (name: string) => Promise<boolean>,
  panelHost = "app.example.com",
  isWithinBound: (name: string) => Promise<boolean> = async () => true,
) {
  const lookedUp: string[] = [];
  let refused = 0;
  const listener = answerAsks({
    panelHost,
    apiHosts: ["api.example.com"],
    hasWorkspace: (name) => (lookedUp.push(name), hasWorkspace(name)),
    isWithinBound,
    refused: () => void (refused += 1),
    log: createLog("silent"),
  });
  server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const send = (path: string, method = "GET"): Promise<number> =>
    new Promise((resolve, reject) => {
      request({ host: "127.0.0.1", port, path, method }, (answer) => resolve((answer.resume(), answer.statusCode!)))
        .on("error", reject)
        .end();
    });
  return { lookedUp, refused: () => refused, send, ask: (name: string) => send(`/ask?domain=${encodeURIComponent(name)}`) };
}
const onlyAcme = async (name: string) => name === "acme";

describe("which host names may have a certificate", () => {
  test("the panel's, the API's, and those of workspaces that exist", async () => {
    const { ask } = await proxyOf(onlyAcme);
    expect([await ask("api.example.com"), await ask("acme.api.example.com")]).toEqual([200, 404]);
    expect([await ask("app.example.com"), await ask("acme.app.example.com"), await ask("other.app.example.com")]).toEqual([200, 200, 404]);
  });

  test.each([
    ["another domain", "example.com"],
    ["a neighbour's domain", "other.example.com"],
    ["a foreign domain", "evil.com"],
    ["the panel's host inside a foreign one", "app.example.com.evil.com"],
    ["a foreign host that ends like the panel's", "evilapp.example.com"],
    ["two labels", "www.acme.app.example.com"],
    ["a wildcard", "*.app.example.com"],
    ["upper case", "ACME.app.example.com"],
    ["the panel's in upper case", "APP.example.com"],
    ["a trailing dot", "acme.app.example.com."],
    ["the panel's with a trailing dot", "app.example.com."],
    ["a port", "acme.app.example.com:443"],
    ["the panel's with a port", "app.example.com:443"],
    ["an empty label", ".app.example.com"],
    ["an empty name", ""],
    ["an IPv4 address", "203.0.113.7"],
    ["an IPv6 address", "[2001:db8::1]"],
    ["another IPv6 address", "2001:db8::1"],
    ["an end of line", "acme.app.example.com\n"],
    ["a zero byte", "acme.app.example.com\0"],
    ["a letter beyond ASCII", "äcme.app.example.com"],
    ["a Kelvin sign, which is a k in lower case", "\u212Aacme.app.example.com"],
    ["a path", "acme.app.example.com/../"],
    ["a user", "user@acme.app.example.com"],
    ["SQL", "acme'--.app.example.com"],
    ["an underscore", "_acme.app.example.com"],
    ["a label of 64 characters", `${"a".repeat(64)}.app.example.com`],
    ["a very long name", `${"a.".repeat(3_000)}app.example.com`],
  ])("not %s, and the database is not asked: %j", async (_what, name) => {
    const { ask, lookedUp } = await proxyOf(async () => true);
    expect(await ask(name)).toBe(404);
    expect(lookedUp).toEqual([]);
  });

  test("no name below a panel on an address", async () => {
    const { ask } = await proxyOf(async () => true, "127.0.0.1:3000");
    expect(await ask("acme.127.0.0.1")).toBe(404);
  });
});

test("there is only one form of request: one path, one name, and read-only", async () => {
  const { send } = await proxyOf(onlyAcme);
  const good = "/ask?domain=acme.app.example.com";
  expect(await send(good)).toBe(200);
  expect(await send("/ask")).toBe(404);
  expect(await send(`${good}&domain=evil.com`)).toBe(404);
  expect(await send("/?domain=acme.app.example.com")).toBe(404);
  expect(await send("//evil.com/ask?domain=acme.app.example.com")).toBe(404);
  expect(await send(good, "POST")).toBe(405);
});

test("beyond a week's limit only hosts of workspaces are counted as refused, and the panel's host is still allowed", async () => {
  const { ask, refused } = await proxyOf(onlyAcme, undefined, async () => false);
  expect([await ask("acme.app.example.com"), await ask("other.app.example.com"), await ask("app.example.com")]).toEqual([429, 404, 200]);
  expect(refused()).toBe(1);
});

test("a flood of made-up names waits for two lookups at a time, and names that need no lookup are still answered", async () => {
  const waiting: (() => void)[] = [];
  const { send, ask, lookedUp } = await proxyOf(() => new Promise((resolve) => waiting.push(() => resolve(false))));
  const flood = Array.from({ length: 150 }, (_, index) => send(`/ask?domain=made-up-${index}.app.example.com`));
  // Those above the limit are refused immediately, the others after two seconds.
  const answers = await Promise.all(flood);
  expect(new Set(answers)).toEqual(new Set([503]));
  expect(lookedUp).toHaveLength(2);
  expect(await ask("app.example.com")).toBe(200);
  waiting.forEach((answer) => answer());
});

test("a database error does not count as permission", async () => {
  const { ask } = await proxyOf(() => Promise.reject(new Error("no database")));
  expect(await ask("acme.app.example.com")).toBe(503);
});

test("on a taken port the program refuses to start, and says which setting to change", async () => {
  const at = { host: "127.0.0.1", port: await findFreePort() };
  const words = { what: "Host names", settings: "CERTIFICATES_PORT or CERTIFICATES_HOST" };
  const first = await openInnerPort((_req, res) => void res.end(), at, words);
  await expect(openInnerPort((_req, res) => void res.end(), at, words)).rejects.toThrow(/CERTIFICATES_PORT or CERTIFICATES_HOST/);
  await first.close();
});
