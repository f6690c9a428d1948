/** Every odd header alone, over a real socket, to the panel, a workspace and an unknown host: covers what `inject` cannot send. */
import { once } from "node:events";
import { connect } from "node:net";
import { Writable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildHealth } from "#apps/program/readiness.ts";
import { openFrontDoor, type FrontDoor } from "#apps/program/front-door/front-door.ts";
import { createGateway, type Gateway } from "#apps/gateway/create-gateway.ts";
import { startTestWorkspace, type TestWorkspace } from "../network/start-test-gateway.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { findFreePort } from "../program/start-slipway.ts";
import { createTestApi, registerSomebody, type TestApi } from "../test-api.ts";
import { bombs, oddValues } from "./hostile-headers.ts";

/** The tests' secret: no line of the log and no answer may repeat it. */
const hush = "hush-51c2";
const lines: string[] = [];
const log = createLog(
  "trace",
  undefined,
  new Writable({ write: (chunk: Buffer, _encoding, done) => (lines.push(chunk.toString()), done()) }),
);

let api: TestApi;
let workspace: TestWorkspace;
let gateway: Gateway;
let door: FrontDoor;
let port: number;
let token: string;
/** What reached the workspace: each body's length, and its encoding. */
const reached: { length: number; encoding: string | undefined; cookie: string | undefined }[] = [];

beforeAll(async () => {
  api = await createTestApi({ log });
  ({ token } = await registerSomebody(api));
  workspace = await startTestWorkspace((req, res) => {
    let length = 0;
    req
      .on("data", (chunk: Buffer) => (length += chunk.length))
      .on("end", () => {
        reached.push({ length, encoding: req.headers["content-encoding"], cookie: req.headers.cookie });
        res.end("workspace");
      });
  });
  const lookUp = (name: string) =>
    Promise.resolve(name === "acme" ? ({ workspaceId: "w", state: "online", address: workspace.address, open: true } as const) : null);
  gateway = createGateway({
    lookUp,
    panelUrl: "http://localhost:3000",
    publicScheme: "http",
    probeToken: `${hush}-probe`,
    log,
    clock: systemClock,
  });
  port = await findFreePort();
  door = await openFrontDoor({
    panelHost: "localhost:3000",
    port,
    hosts: ["127.0.0.1"],
    api: api.app,
    health: await buildHealth(() => Promise.resolve({ roles: true })),
    gateway,
    log,
  });
});
afterAll(async () => {
  await door?.close();
  await gateway?.close();
  await workspace?.[Symbol.asyncDispose]();
  await api?.[Symbol.asyncDispose]();
});

/** A request that announces more than it has gets no answer. Any other gets one, on a busy machine after many seconds. */
const [halfMs, wholeMs] = [2_000, 60_000];

/** Sends bytes unchanged; resolves with the answer, empty if none comes in time. */
async function send(head: string, body: Buffer = Buffer.alloc(0), withinMs = wholeMs): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  let answer = "";
  socket
    .on("error", () => undefined)
    .on("data", (chunk: Buffer) => {
      answer += chunk.toString("latin1");
      if (!answer.startsWith("HTTP/1.1 100")) socket.end();
    });
  await once(socket, "connect");
  socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`, "latin1"), body]));
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const silent = setTimeout(() => socket.destroy(), withinMs);
  await closed;
  clearTimeout(silent);
  return answer;
}

const hosts = ["localhost:3000", "acme.localhost:3000", "nobody.localhost:3000"];
const asks = ["GET /api/auth/me", "POST /api/auth/login", "GET /login"];
/** Secrets where browsers and programs put them, all of them wrong. */
const secrets: Record<string, readonly string[]> = {
  authorization: [`Bearer ${hush}`, `Basic ${hush}`],
  cookie: [`token=${hush}`, `__Host-token=${hush}; a=${hush}`, `token=${hush}; token=${hush}`],
  "x-slipway-probe": [hush],
  "idempotency-key": [hush],
};
const odd = [...Object.entries(oddValues), ...Object.entries(secrets)].flatMap(([name, values]) =>
  values.map((value) => [name, value] as const),
);

test("no header causes an error, and none is repeated by an answer or a line of the log", async () => {
  const wrong: string[] = [];
  const tries = odd.flatMap(([name, value], at) => hosts.map((host) => ({ name, value, host, line: asks[at % asks.length]! })));
  const tryNext = async (): Promise<void> => {
    for (let next = tries.pop(); next; next = tries.pop()) {
      const { name, value, host, line } = next;
      const heads = [
        `${line} HTTP/1.1`,
        ...(name === "host" ? [] : [`Host: ${host}`]),
        "Origin: http://localhost:3000",
        `Cookie: n8n-auth=x; token=${token}`,
        ...(line.startsWith("POST") && name !== "content-type" ? ["Content-Type: application/json"] : []),
        `${name}: ${value}`,
      ];
      const hasBody = line.startsWith("POST") && name !== "content-length" && name !== "transfer-encoding";
      const body = JSON.stringify({ login: "nobody", password: `${hush} wrong` });
      const isHalf = name === "content-length" || name === "expect" || name === "transfer-encoding";
      const answer = await send(
        [...heads, ...(hasBody ? [`Content-Length: ${body.length}`] : [])].join("\r\n"),
        Buffer.from(name === "transfer-encoding" ? "0\r\n\r\n" : hasBody ? body : "a"),
        isHalf ? halfMs : wholeMs,
      );
      const status = Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? 0);
      if (status >= 500 || (status === 0 && !isHalf) || answer.includes(hush) || /node_modules|\.ts:\d/.test(answer))
        wrong.push(`${line} at ${host} with ${name}: ${value.slice(0, 60)} -> ${answer.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: 20 }, tryNext));
  expect(wrong).toEqual([]);
  expect(odd.length).toBeGreaterThan(120);
  expect(lines.filter((line) => [hush, token, "n8n-auth"].some((secret) => line.includes(secret))).slice(0, 3)).toEqual([]);
  expect(lines.length).toBeGreaterThan(100);
  expect(reached.length).toBeGreaterThan(50);
  for (const { cookie } of reached) expect(cookie ?? "").not.toMatch(/token=/);
});

test.each(["TRACE", "TRACK", "CONNECT", "DEBUG"])("the response to %s repeats nothing of the request", async (method) => {
  for (const host of ["localhost:3000", "nobody.localhost:3000"]) {
    const head = `${method} /${method === "CONNECT" ? "" : "login"} HTTP/1.1\r\nHost: ${host}\r\nCookie: token=${hush}`;
    // Some get none.
    const answer = await send(head, Buffer.alloc(0), halfMs);
    expect(answer).not.toContain(hush);
    expect(answer).not.toMatch(/^HTTP\/1.1 (2|5)\d\d /);
  }
});

test.each(Object.entries(bombs))(
  "a bomb packed by %s goes to the workspace as it came: the gateway unpacks nothing",
  async (encoding, bomb) => {
    const from = reached.length;
    expect(
      await send(
        `POST /webhook HTTP/1.1\r\nHost: acme.localhost:3000\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${bomb.length}`,
        bomb,
      ),
    ).toMatch(/^HTTP\/1.1 200 /);
    expect(reached.slice(from)).toEqual([{ length: bomb.length, encoding, cookie: undefined }]);
  },
);
