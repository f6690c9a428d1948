import { constants } from "node:os";
import { writeAddress } from "#platform/lines/open-line.ts";
import { lineLabel, readLabels } from "../container/container-labels.ts";
import { containerPorts } from "../container/launch-order.ts";
import type { RunObservation } from "../driver.ts";
import type { ContainerInfo } from "./docker-api.ts";
import { inspectContainer, isThere, namesOf, type DockerHost } from "./docker-host.ts";

/** The current state, as reported by the service. */
export async function observeContainer(host: DockerHost, workspaceId: string): Promise<RunObservation & { containerId?: string }> {
  const { container, volume } = namesOf(workspaceId);
  const found = await inspectContainer(host, container);
  if (found?.State.Running) return { ...observeRunning(found), containerId: found.Id };
  // An ended container has no files: without its volume, the next start would make an empty one.
  if (!(await isThere(host, "volumes", volume))) return { state: "absent" };
  return found ? observeEnded(found) : { state: "stopped" };
}

/** Whether the observation is of a container that has its address: one that is just ending has none any more. */
function observeRunning({ Config, State, NetworkSettings }: ContainerInfo): RunObservation {
  const [address] = Object.values(NetworkSettings.Networks).map(({ IPAddress }) => IPAddress);
  const [port] = Object.values(containerPorts(["http"]));
  return {
    state: "running",
    ...readLabels(Config.Labels),
    ...(address && port && { address: writeAddress(address, port, Config.Labels[lineLabel]) }),
    startedAt: new Date(State.StartedAt),
  };
}

function observeEnded({ State }: ContainerInfo): RunObservation {
  const at = new Date(State.FinishedAt);
  // A container that was created and never started has its end in the year 1.
  if (!(at.getTime() > 0)) return { state: "stopped" };
  return { state: "stopped", exit: { ...howItEnded(State.ExitCode), at, ...(State.OOMKilled && { outOfMemory: true }) } };
}

/** How a shell reports a signal: 128 plus its number. tini passes it on. */
function howItEnded(exitCode: number): { code: number | null; signal: string | null } {
  const signal = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0];
  return signal ? { code: null, signal } : { code: exitCode, signal: null };
}
