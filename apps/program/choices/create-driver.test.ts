/** What production requires before it opens a driver, and a driver's defaults. */
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { createSecrets } from "#platform/secrets.ts";
import { StartTrouble } from "#platform/start-trouble.ts";
import type { DockerDriver } from "../../provisioner/drivers/docker/create-docker-driver.ts";
import { readConfig, type Config } from "../settings/config.ts";
import { createDriver, type DriverParts } from "./create-driver.ts";

const secrets = createSecrets("long enough to be a key of a service");
const open = (config: Partial<Config>) =>
  createDriver({ config, clock: systemClock, secrets, log: createLog("silent") } as unknown as DriverParts);
const settings = {
  SECRET_KEY: "long enough to be a key of a service",
  DATA_DIR: tmpdir(),
  DRIVER: "kubernetes",
  WORKSPACE_IMAGES: "registry.example/slipway",
};

test("production does not use a cluster whose API is not verified", async () => {
  const folder = await mkdtemp(join(tmpdir(), "slipway-kubeconfig-"));
  const { cluster } = readConfig(settings);
  const access = (server: object) => ({
    clusters: [{ name: "own", cluster: server }],
    contexts: [{ name: "own", context: { cluster: "own" } }],
    "current-context": "own",
  });
  vi.stubEnv("KUBECONFIG", join(folder, "kubeconfig"));
  try {
    for (const server of [{ server: "http://10.0.0.1" }, { server: "https://10.0.0.1", "insecure-skip-tls-verify": true }]) {
      await writeFile(join(folder, "kubeconfig"), JSON.stringify(access(server)));
      const refused = open({ driver: "kubernetes", production: true, cluster });
      await expect(refused).rejects.toThrow(StartTrouble);
      await expect(refused).rejects.toThrow(`The connection to the cluster at ${server.server} is not verified`);
    }
  } finally {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  }
});

test("containers use public name servers unless the operator names others", async () => {
  const folder = await mkdtemp(join(tmpdir(), "slipway-socket-"));
  const dockerSocket = join(folder, "socket");
  const answer = { Id: "canary", StatusCode: 0, IPAM: { Config: [{ Subnet: "10.231.0.16/28" }] } };
  // A service that has everything, and whose canary reaches nothing.
  const server = createServer(({ url }, response) => {
    response.end(url!.includes("/logs?") ? "[]" : JSON.stringify(answer));
  }).listen(dockerSocket);
  try {
    await once(server, "listening");
    const { cluster } = readConfig(settings);
    const nameServersOf = async (workspaceNameServers?: string[]) => {
      const config = {
        driver: "docker",
        production: false,
        cluster,
        dockerSocket,
        workspaceNameServers,
        workspaceCpus: 1,
        enginesDir: "/e",
      };
      return ((await open(config as Partial<Config>)) as DockerDriver).host.nameServers;
    };
    expect(await nameServersOf()).toEqual(["9.9.9.9", "149.112.112.112"]);
    expect(await nameServersOf(["10.0.0.2"])).toEqual(["10.0.0.2"]);
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
});
