/** What is seen of a workspace whose volume is gone, as on a host that lost the disk of its volumes. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lineKeys } from "#testing/network/start-test-gateway.ts";
import { createLog } from "#platform/log.ts";
import { openDockerHost } from "./docker-host.ts";
import { observeContainer } from "./observe-container.ts";

/** What is seen of a container that has ended, with its volume or without. */
async function lookAt({ hasVolume }: { hasVolume: boolean }) {
  const folder = await mkdtemp(join(tmpdir(), "slipway-socket-"));
  const socketPath = join(folder, "socket");
  const State = { Running: false, ExitCode: 7, OOMKilled: false, FinishedAt: "2026-11-01T10:00:00Z" };
  const server = createServer((request, response) => {
    if (request.url!.includes("/containers/")) return void response.end(JSON.stringify({ Id: "1", State, Config: { Labels: {} } }));
    if (!hasVolume) response.writeHead(404);
    response.end("{}");
  }).listen(socketPath);
  onTestFinished(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });
  await once(server, "listening");
  const host = { enginesDir: "/nowhere/engines", nodeBinary: "/nowhere/bin/node" };
  const log = createLog("silent");
  return observeContainer(openDockerHost({ socketPath, imageName: String, host, cpus: 1, diskMb: 5_120, lineKeys, log }), "w-1");
}

test("an ended container is a workspace only with its volume: without it, the next start would be empty", async () => {
  expect(await lookAt({ hasVolume: true })).toMatchObject({ state: "stopped", exit: { code: 7 } });
  expect(await lookAt({ hasVolume: false })).toEqual({ state: "absent" });
});
