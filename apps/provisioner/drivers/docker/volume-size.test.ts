import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { lineKeys } from "#testing/network/start-test-gateway.ts";
import type { Log } from "#platform/log.ts";
import { openDockerHost } from "./docker-host.ts";
import { makeVolume } from "./run-container.ts";

/** What a service without volumes is asked to create, which refuses the first with `refusal`; and what the log says then. */
async function makeOn({ refusal, components = [] }: { refusal?: string; components?: { Name: string }[] }) {
  const folder = await mkdtemp(join(tmpdir(), "slipway-socket-"));
  const socketPath = join(folder, "socket");
  const asked: object[] = [];
  const said: object[] = [];
  const server = createServer(async (request, response) => {
    if (request.url!.startsWith("/version")) return void response.end(JSON.stringify({ Components: components }));
    if (request.method === "GET") return void response.writeHead(404).end("{}");
    asked.push((await json(request)) as object);
    if (refusal !== undefined && asked.length === 1) response.writeHead(500);
    response.end(JSON.stringify({ message: refusal }));
  }).listen(socketPath);
  onTestFinished(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });
  await once(server, "listening");
  const log = { warn: (what: object) => void said.push(what) } as unknown as Log;
  const places = { enginesDir: "/nowhere/engines", nodeBinary: "/nowhere/bin/node" };
  const made = makeVolume(openDockerHost({ socketPath, imageName: String, host: places, cpus: 1, diskMb: 5_120, lineKeys, log }), "w-1");
  return { made, asked, said };
}
const volume = { Name: "slipway-w-1", Labels: { "slipway.dev/workspace": "w-1" } };

test.each([
  ["Docker", [], { size: "5120m" }],
  ["Podman", [{ Name: "Podman Engine" }], { o: "size=5120m" }],
])("a new volume is as large as the settings say, on %s in its own words", async (_name, components, DriverOpts) => {
  const { made, asked, said } = await makeOn({ components });
  await made;
  expect(asked).toEqual([{ ...volume, DriverOpts }]);
  expect(said).toEqual([]);
});

test("if the service's disk has no quotas a volume has no limit, and the log names its workspace", async () => {
  const { made, asked, said } = await makeOn({ refusal: "quota size requested but no quota support" });
  await made;
  expect(asked[1]).toEqual(volume);
  expect(said).toEqual([expect.objectContaining({ workspaceId: "w-1", reason: expect.stringContaining("no quota support") })]);
});

test("if a volume is refused for another reason, none is created without a limit", async () => {
  const { made, asked } = await makeOn({ refusal: "no space left on device" });
  await expect(made).rejects.toThrow("no space left on device");
  expect(asked).toHaveLength(1);
});
