/** Brings one workspace's container to its spec. Every step can be repeated and allows for other workers. */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { within } from "#platform/loops/within.ts";
import { specHashLabel, workspaceLabel } from "../container/container-labels.ts";
import { launchOrder } from "../container/launch-order.ts";
import { DriverFailure, type RunSpec } from "../driver.ts";
import { hashRunSpec } from "../hash-run-spec.ts";
import { workspaceOptions } from "./container-options.ts";
import type { ContainerInfo } from "./docker-api.ts";
import {
  createContainer,
  hasStatus,
  inspectContainer,
  isThere,
  namesOf,
  startContainer,
  unlessMissing,
  waitForContainer,
  type DockerHost,
} from "./docker-host.ts";
import { findImage } from "./find-image.ts";

/** Two workers can get in each other's way a few times, but not forever. */
const startTries = 4;
/** How long the removal of a container by another worker may take. */
const removalTries = 50;
const removalPauseMs = 100;

/**
 * Starts the workspace from this spec unless it already runs from it; a container of another spec is stopped first. `demandIsolation`
 * throws if none may be started.
 */
export async function runContainer(host: DockerHost, spec: RunSpec, demandIsolation: () => void): Promise<void> {
  for (let tries = 0; tries < startTries; tries += 1) {
    const found = await inspectContainer(host, namesOf(spec.workspaceId).container);
    if (found?.State.Running && found.Config.Labels[specHashLabel] === hashRunSpec(spec)) return;
    demandIsolation();
    if (found) {
      await stopContainer(host, found, spec.stopTimeoutMs);
      await setAside(host, spec.workspaceId, found);
    }
    if (await launchContainer(host, spec)) return;
  }
  throw new DriverFailure("start_failed", "another worker holds the workspace's container and could not be waited for");
}

/** Stops the container and keeps it, for its exit code and its output. */
export async function stopContainer(host: DockerHost, { Id, State }: ContainerInfo, stopTimeoutMs: number): Promise<void> {
  if (!State.Running) return;
  const kill = (signal: string) => host.docker.call({ method: "POST", path: `/containers/${Id}/kill`, query: { signal } });
  const ended = waitForContainer(host, Id, stopTimeoutMs + host.docker.limits.changeMs);
  ended.catch(() => undefined);
  const isOver = () => Promise.race([ended.then(() => true), sleep(stopTimeoutMs, false, { ref: false })]);
  try {
    // Signals reach a paused container only when it runs again.
    if (State.Paused) await host.docker.call({ method: "POST", path: `/containers/${Id}/unpause` });
    await kill("SIGTERM");
    if (!(await isOver())) await kill("SIGKILL");
    await ended;
  } catch (error) {
    // It has ended or is gone: 409 and 404. Podman answers 500.
    if (hasStatus(error, 404, 409) || !(await inspectContainer(host, Id))?.State.Running) return;
    throw error;
  }
}

/** Frees the name for the next start, and removes the previous container. */
async function setAside(host: DockerHost, workspaceId: string, { Id }: ContainerInfo): Promise<void> {
  const { previous } = namesOf(workspaceId);
  await removeContainer(host, previous);
  await unlessMissing(host.docker.call({ method: "POST", path: `/containers/${Id}/rename`, query: { name: previous } }));
}

/** False if another worker was first. */
async function launchContainer(host: DockerHost, spec: RunSpec): Promise<boolean> {
  const { mark, key } = host.lineKeys.named(spec.workspaceId);
  const order = launchOrder(spec, host.host, key);
  await makeNetwork(host, spec.workspaceId, spec.workspaceNumber);
  await makeVolume(host, spec.workspaceId);
  const options = await workspaceOptions(host, spec, { image: await findImage(host, spec.image), mark });
  const id = await createContainer(host, options).catch((error: unknown) => {
    // Docker answers 409, and Podman 500 with these words.
    if (hasStatus(error, 409) || /already in use/.test(String(error))) return undefined;
    throw error;
  });
  if (id === undefined) return false;
  try {
    const line = await host.docker.attach(id, ["stdin"]);
    try {
      await startContainer(host, id);
      line.end(`${JSON.stringify(order)}\n`);
      await within(host.docker.limits.questionMs, "handing over what to launch", once(line, "finish"));
    } finally {
      line.destroy();
    }
  } catch (error) {
    await removeContainer(host, id);
    throw error;
  }
  return true;
}

/**
 * The workspace's own network, which contains nothing else. The firewall's rules recognise the bridge by its name; Podman gives its own
 * names, which the rules recognise as well.
 */
export async function makeNetwork(host: DockerHost, workspaceId: string, workspaceNumber: number): Promise<void> {
  const { network } = namesOf(workspaceId);
  if (await isThere(host, "networks", network)) return;
  await host.docker
    .call({
      method: "POST",
      path: "/networks/create",
      body: {
        Name: network,
        Driver: "bridge",
        CheckDuplicate: true,
        EnableIPv6: false,
        Labels: { [workspaceLabel]: workspaceId },
        ...(!(await host.isPodman()) && { Options: { "com.docker.network.bridge.name": `slw-${workspaceNumber.toString(36)}` } }),
      },
    })
    .catch((error: unknown) => {
      if (hasStatus(error, 409) || /already (?:exists|used)/.test(String(error))) return;
      throw error;
    });
}

/**
 * The workspace's storage. Requesting an existing one changes nothing. Its size is that of the settings if the service's disk can limit
 * volumes (XFS with project quotas); otherwise it is unlimited, which the log says for each.
 */
export async function makeVolume(host: DockerHost, workspaceId: string): Promise<void> {
  const { volume } = namesOf(workspaceId);
  if (await isThere(host, "volumes", volume)) return;
  const make = (options: object): Promise<void> =>
    host.docker
      .call({ method: "POST", path: "/volumes/create", body: { Name: volume, Labels: { [workspaceLabel]: workspaceId }, ...options } })
      .catch((error: unknown) => {
        if (!/already exists/.test(String(error))) throw error;
      });
  const size = `${host.diskMb}m`;
  await make({ DriverOpts: (await host.isPodman()) ? { o: `size=${size}` } : { size } }).catch(async (error: unknown) => {
    if (!/quota|invalid option/i.test(String(error))) throw error;
    host.log.warn({ workspaceId, reason: String(error) }, "a workspace's disk space has no limit");
    await make({});
  });
}

/** Ends and removes a container; waits if another worker is just doing so. */
export async function removeContainer(host: DockerHost, name: string): Promise<void> {
  for (let tries = 0; tries < removalTries; tries += 1) {
    try {
      await unlessMissing(host.docker.call({ method: "DELETE", path: `/containers/${name}`, query: { force: true } }));
      return;
    } catch (error) {
      if (!hasStatus(error, 409) && !/removal .* in progress|state improper/.test(String(error))) throw error;
      await sleep(removalPauseMs);
      if (!(await inspectContainer(host, name))) return;
    }
  }
  throw new DriverFailure("stop_failed", `the container ${name} could not be removed`);
}
