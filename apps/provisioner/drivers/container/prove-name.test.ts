/** A tool as the launcher starts it: with the key, and without knowing it. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findFreePorts } from "#platform/host/find-free-ports.ts";
import { fetchOver } from "#platform/lines/fetch-over.ts";
import { lineKeys } from "#testing/network/start-test-gateway.ts";
import { provingVariable } from "./image-places.ts";

const preload = fileURLToPath(new URL("prove-name.ts", import.meta.url));
const { key } = lineKeys.named("mine");

/** Listens twice on its port, as a tool that retries does, and on another one; says what it and its children know. */
const tool = `
const { createServer } = require("node:http");
const { execFileSync, fork } = require("node:child_process");
const [port, broker] = process.argv.slice(1).map(Number);
const answer = (request, response) => {
  if (request.url === "/close") return response.end("closing", () => process.exit(0));
  const inherited = execFileSync(process.execPath, [...process.execArgv.filter((each) => each.startsWith("--import")), "-p", "Object.keys(process.env).join()"]);
  response.end(JSON.stringify({ own: Object.keys(process.env), inherited: inherited.toString().trim() }));
};
createServer(answer).listen(broker, "127.0.0.1", () => {
  const server = createServer(answer);
  server.once("error", () => server.listen(port, "127.0.0.1", () => console.log("listening")));
  server.listen(broker, "127.0.0.1");
});
`;

const call = (port: number, path: string, own?: Buffer) =>
  fetchOver({ host: "127.0.0.1", port, ...(own && { key: own }) }, { path, signal: AbortSignal.timeout(10_000) });

/** Again with other ports if something else has taken one of them. */
async function startTool(tries = 3): Promise<{ child: ChildProcess; port: number; broker: number }> {
  const { port, broker } = (await findFreePorts(["port", "broker"])) as { port: number; broker: number };
  const child = spawn(process.execPath, [`--import=${preload}`, "-e", tool, "--", String(port), String(broker)], {
    env: { OWN: "yes", [provingVariable]: `${port}:${key.toString("base64")}` },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const isListening = await Promise.race([once(child.stdout, "data").then(() => true), once(child, "exit").then(() => false)]);
  if (isListening) return { child, port, broker };
  if (tries > 1) return startTool(tries - 1);
  throw new Error("the tool does not listen");
}

test("a tool answers at its port only callers that have its key, which neither it nor its children find in the environment", async () => {
  const { child, port, broker } = await startTool();
  try {
    expect(await (await call(port, "/", key)).json()).toEqual({ own: ["OWN"], inherited: "OWN" });
    await expect(call(port, "/close", lineKeys.named("other").key)).rejects.toThrow();
    await expect(call(port, "/close")).rejects.toThrow();
    const noise = connect({ host: "127.0.0.1", port }).on("error", () => undefined);
    noise.end("GET /close HTTP/1.1\r\n\r\n");
    await once(noise.resume(), "close");
    // Connections at other addresses than the workspace's need no proof.
    expect((await call(broker, "/")).status).toBe(200);
    const ended = once(child, "exit");
    expect(await (await call(port, "/close", key)).text()).toBe("closing");
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill("SIGKILL");
  }
});
