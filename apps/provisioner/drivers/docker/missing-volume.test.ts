/** What is observed of a workspace whose volume is gone, as on a host that lost the disk of its volumes. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lineKeys } from "#testing/network/start-test-gateway.ts";
import { createLog } from "#platform/log.ts";
import { readStorage } from "./container-storage.ts";
import { openDockerHost } from "./docker-host.ts";
import { observeContainer } from "./observe-container.ts";

/** A service with a container that has ended, with or without its volume; and the changes it was asked to make. */
async function openService({ hasVolume }: { hasVolume: boolean }) {
  const changes: string[] = [];
  const folder = await mkdtemp(join(tmpdir(), "slipway-socket-"));
  const socketPath = join(folder, "socket");
  const State = { Running: false, ExitCode: 7, OOMKilled: false, FinishedAt: "2026-11-01T10:00:00Z" };
  const server = createServer((request, response) => {
    if (request.method !== "GET") changes.push(request.url!);
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
  return { host: openDockerHost({ socketPath, imageName: String, host, cpus: 1, diskMb: 5_120, lineKeys, log }), changes };
}

test("an ended container is a workspace only with its volume: without it, the next start would be empty", async () => {
  const lookAt = async (has: { hasVolume: boolean }) => observeContainer((await openService(has)).host, "w-1");
  expect(await lookAt({ hasVolume: true })).toMatchObject({ state: "stopped", exit: { code: 7 } });
  expect(await lookAt({ hasVolume: false })).toEqual({ state: "absent" });
});

test("a missing volume is not created for reading: an empty one would be packed as a backup, and would be the workspace from then on", async () => {
  const { host, changes } = await openService({ hasVolume: false });
  await expect(readStorage(host, { workspaceId: "w-1", workspaceNumber: 1 }, ["things"])).rejects.toThrow("volume is missing");
  expect(changes).toEqual([]);
});
