import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { systemClock } from "#platform/clock.ts";
import { createAsk, done, type AskLimits, type Caller } from "./call-workspace.ts";
import { EngineRefusal } from "./engine.ts";
import { createN8nExports } from "./n8n/copies/n8n-exports.ts";
import { publicKeyOf } from "./sign-token.ts";
import { createTokenCheck } from "./workspace-side/token-check.mts";

const { privateKey } = generateKeyPairSync("ed25519");
const caller: Caller = { displayName: "n8n", signingKey: privateKey, clock: systemClock };
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => void (await Promise.all(opened.splice(0).map((server) => server.close()))));

/** A workspace that answers as specified by the test; returns host:port. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  opened.push({
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const shape = z.object({ message: z.string() });
const ask = async (address: string, limits: AskLimits = {}) =>
  createAsk(caller, "plan", limits)(shape, address, "mine", "/_slipway/plan", { a: 1 });
const json = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

/** Writes for as long as the connection is read. */
function writeForever(response: ServerResponse, piece: Buffer): void {
  const write = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on("drain", write);
  write();
}

test("a call carries its body and a single-use token for this workspace and purpose", async () => {
  const check = createTokenCheck({
    workspaceId: "mine",
    publicKey: publicKeyOf(privateKey),
    startedAtMs: 0,
    ranMs: () => 0,
    now: () => systemClock.now().getTime(),
  });
  const heard: unknown[] = [];
  const address = await serve((request, response) => {
    request.setEncoding("utf8").once("data", (body: string) => {
      heard.push(
        request.method,
        request.url,
        request.headers.connection,
        body,
        check(request.headers.authorization?.slice("Bearer ".length), "plan"),
      );
      json(response, 200, { message: "kept" });
    });
  });
  expect(await ask(address)).toEqual({ message: "kept" });
  expect(heard).toEqual([
    "POST",
    "/_slipway/plan",
    "close",
    '{"a":1}',
    { claims: expect.objectContaining({ audience: "plan", workspaceId: "mine" }) },
  ]);
});

test("an endless answer is cut off, and its connection closed", async () => {
  let closed = false;
  const address = await serve((_request, response) => {
    response.on("close", () => (closed = true));
    writeForever(response.writeHead(200), Buffer.alloc(64 * 1024, " "));
  });
  await expect(ask(address)).rejects.toThrow("n8n answers 200, and more than 262144 bytes");
  await expect.poll(() => closed).toBe(true);
});

test("a compressed answer is measured by its unpacked size", async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const address = await serve((_request, response) => response.writeHead(500, { "content-encoding": "gzip" }).end(bomb));
  await expect(ask(address)).rejects.toThrow("n8n answers 500, and more than 262144 bytes");
});

test.each<[string, (response: ServerResponse) => void]>([
  ["says nothing", () => undefined],
  ["never ends its headers", (response) => void response.socket?.write("HTTP/1.1 200 OK\r\n")],
  [
    "says a letter now and then",
    (response) => {
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    },
  ],
])("a workspace that %s is waited for only so long", async (_how, answer) => {
  const address = await serve((_request, response) => answer(response));
  await expect(ask(address, { timeoutMs: 200 })).rejects.toMatchObject({ name: "TimeoutError" });
});

test("redirects are not followed", async () => {
  let followed = 0;
  const elsewhere = await serve((_request, response) => {
    followed++;
    json(response, 200, { message: "from elsewhere" });
  });
  const address = await serve((_request, response) => response.writeHead(307, { location: `http://${elsewhere}/` }).end());
  await expect(ask(address)).rejects.toThrow("n8n answers 307");
  expect(followed).toBe(0);
});

test.each(["", "no JSON", "[]", '{"message":1}'])("an answer of the wrong shape is rejected: %s", async (body) => {
  const address = await serve((_request, response) => response.writeHead(200).end(body));
  await expect(ask(address)).rejects.toBeInstanceOf(z.ZodError);
});

test.each(["", "no JSON", "{}"])("a call without a result succeeds with any answer: %s", async (body) => {
  const address = await serve((_request, response) => response.writeHead(201).end(body));
  await createAsk(caller, "owner")(done, address, "mine", "/_slipway/owner", { a: 1 });
});

test("a refusal by the tool is recognized where it may refuse, with its reason as plain text", async () => {
  const address = await serve((_request, response) => json(response, 409, { message: `<a href="x">Upgrade</a> first${"!".repeat(500)}` }));
  const refusal = await ask(address, { mayRefuse: true }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(EngineRefusal);
  expect((refusal as Error).message).toMatch(/^Upgrade first!{287}$/);
  const error = await ask(address).catch((caught: unknown) => caught);
  expect(error).not.toBeInstanceOf(EngineRefusal);
  expect((error as Error).message).toMatch(/^n8n answers 409: /);
  expect((error as Error).message.length).toBeLessThan(230);
});

test("an export with an endless line, or that ends too early, fails", async () => {
  const read = async (address: string) => {
    for await (const file of createN8nExports(caller).read(address, "mine", null)) expect(file.kind).toBe("workflow");
  };
  const endless = await serve((_request, response) => writeForever(response.writeHead(200), Buffer.alloc(1024 * 1024, "a")));
  await expect(read(endless)).rejects.toThrow("a line of n8n's answer is too long");
  const early = await serve((_request, response) => response.writeHead(200).end('{"workflow":{"id":"1","name":"One"}}\n'));
  await expect(read(early)).rejects.toThrow("n8n broke off before the end");
  const refusing = await serve((_request, response) => json(response, 401, { message: "token refused: used" }));
  await expect(read(refusing)).rejects.toThrow("n8n answers 401: ");
});
