/** Each call of a workspace ends with an answer and a line in the log, however slow its sender or its workspace is, and however many fail. */
import { once } from "node:events";
import { connect } from "node:net";
import { Writable } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { createLog } from "#platform/log.ts";
import { startTestGateway, startTestWorkspace } from "#testing/network/start-test-gateway.ts";

interface Line {
  msg: string;
  failure?: string;
  workspaceId?: string;
}

async function startScene(onRequest: Parameters<typeof startTestWorkspace>[0], limits: { uploadSilenceMs?: number } = {}) {
  const lines: Line[] = [];
  const write = (chunk: Buffer, _encoding: string, done: () => void) => (lines.push(JSON.parse(chunk.toString()) as Line), done());
  const workspace = await startTestWorkspace(onRequest);
  const gateway = await startTestGateway({ limits, log: createLog("info", undefined, new Writable({ write })) });
  onTestFinished(async () => {
    await gateway[Symbol.asyncDispose]();
    await workspace[Symbol.asyncDispose]();
  });
  gateway.setRoute("acme", { workspaceId: "w", state: "online", address: workspace.address, open: true });
  const open = async (head: string) => {
    const socket = connect({ port: gateway.port, host: "127.0.0.1" });
    const answer = { text: "" };
    socket.on("error", () => undefined).on("data", (chunk) => (answer.text += String(chunk)));
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    socket.write(`${head}\r\nHost: acme.localhost\r\n\r\n`);
    return { socket, answer };
  };
  return { lines, open };
}

test("an upload that pauses is answered 408, and one that continues slowly arrives whole", async () => {
  const { lines, open } = await startScene(
    (req, res) => {
      let read = 0;
      req.on("data", (chunk: Buffer) => (read += chunk.length)).on("end", () => res.end(`${read} bytes`));
    },
    { uploadSilenceMs: 1_000 },
  );
  const slow = await open("POST /webhook/a HTTP/1.1\r\nContent-Length: 30");
  const paused = await open("POST /webhook/a HTTP/1.1\r\nContent-Length: 30");
  paused.socket.write("some");
  const drip = setInterval(() => slow.socket.write("a"), 100);
  await vi.waitFor(() => expect(slow.answer.text).toContain("30 bytes"), 20_000);
  clearInterval(drip);
  await vi.waitFor(() => expect(paused.answer.text).toMatch(/^HTTP\/1.1 408 [^]*request_too_slow/), 20_000);
  expect(lines).toContainEqual(expect.objectContaining({ workspaceId: "w", failure: "body-late" }));
});

test("an upload that its workspace does not read is answered 504", async () => {
  const { lines, open } = await startScene((req) => void req.pause(), { uploadSilenceMs: 500 });
  const { socket, answer } = await open(`POST /webhook/a HTTP/1.1\r\nContent-Length: ${64 * 1024 * 1024}`);
  socket.write(Buffer.alloc(64 * 1024 * 1024));
  await vi.waitFor(() => expect(lines).toContainEqual(expect.objectContaining({ failure: "timed-out" })), 20_000);
  await vi.waitFor(() => expect(answer.text).toMatch(/^HTTP\/1.1 504 /), 20_000);
});

test("a workspace that breaks off its answers leaves ten lines a minute in the log, however often it is called", async () => {
  let calls = 0;
  const { lines, open } = await startScene((req, res) => {
    calls += 1;
    if (req.url === "/head") return void res.writeHead(200, { "content-length": 10 }).write("part", () => res.destroy());
    req.socket.destroy();
  });
  const call = async (path: string) => {
    const { socket, answer } = await open(`POST ${path} HTTP/1.1\r\nConnection: close\r\nContent-Length: 0`);
    if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
    return answer.text;
  };
  expect(await call("/head")).toMatch(/^HTTP\/1.1 200 /);
  expect(await call("/none")).toMatch(/^HTTP\/1.1 502 /);
  expect(lines.map(({ msg }) => msg)).toEqual(["a workspace broke off an answer", "a workspace did not answer a request"]);
  for (let at = 0; at < 200; at += 1) await call("/none");
  expect(calls).toBe(202);
  expect(lines).toHaveLength(10);
});
