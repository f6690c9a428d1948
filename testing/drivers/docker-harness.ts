/** Docker or Podman with the docker driver, and workspaces that report what they see. */
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { proving, writeAddress } from "#platform/lines/open-line.ts";
import { stageBeside } from "#platform/host/stage-beside.ts";
import { createLog } from "#platform/log.ts";
import { createDockerDriver, type DockerDriver } from "#apps/provisioner/drivers/docker/create-docker-driver.ts";
import { nodeInImage } from "#apps/provisioner/drivers/container/image-places.ts";
import { startContainerService, type ContainerService } from "../containers/start-service.ts";
import { standIn, testImage, writeTestImage } from "../containers/test-image.ts";
import type { DriverHarness, WorkspaceReport } from "./driver-harness.ts";
import { lineKeys } from "../network/start-test-gateway.ts";
import { actThrough, postOver, reportingActs, type Act } from "./reporting-acts.ts";

export interface DockerHarness extends DriverHarness {
  driver: DockerDriver;
  service: ContainerService;
  act: Act;
}

const answerTimeoutMs = 60_000;
const cut = testImage.lastIndexOf("/");

/** Starts the service with the stand-in's image under two names. */
export async function makeDockerHarness(name: "docker" | "podman"): Promise<DockerHarness> {
  const folder = await stageBeside(join(tmpdir(), "slipway-test-image"));
  const service = await startContainerService(name, [await writeTestImage(folder)]).finally(() =>
    rm(folder, { recursive: true, force: true }),
  );
  const image = testImage.slice(cut + 1);
  const post = postOver(lineKeys, async ({ host, port, key }) => {
    const socket = await service.connect(writeAddress(host, port));
    return key === undefined ? socket : connect({ socket, ...proving(key) });
  });
  const create = () =>
    createDockerDriver({
      socketPath: service.socketPath,
      imageName: (named) => `${testImage.slice(0, cut)}/${named}`,
      host: { enginesDir: "/nowhere/engines", nodeBinary: "/nowhere/bin/node" },
      cpus: 1,
      diskMb: 256,
      isDemanded: false,
      lineKeys,
      log: createLog("silent"),
    });
  const driver = create();
  const [repo, tag] = [testImage.split(":")[0]!, "other"];
  await driver.host.docker.call({ method: "POST", path: `/images/${testImage}/tag`, query: { repo, tag } });
  const act = actThrough(driver, { timeoutMs: answerTimeoutMs, post });
  const report = async (workspaceId: string) => (await act(workspaceId, "report")) as WorkspaceReport & { pid: number };
  return {
    driver,
    service,
    restarted: create,
    image,
    otherImage: `${image.split(":")[0]}:${tag}`,
    proving: { keys: lineKeys, post },
    act,
    report,
    command: [nodeInImage, standIn],
    ...reportingActs(act),
    // Answered by a connection that breaks.
    crash: async (workspaceId) => {
      const { pid } = await report(workspaceId);
      await act(workspaceId, "exit", { code: 9, pid });
    },
    // Less than the ten seconds after which the service would kill it unasked.
    endsWithinMs: 9_000,
    sayReady: () => Promise.reject(new Error("this driver hears nothing")),
    close: () => service.stop(),
  };
}
