/**
 * Removes what a killed process left in the service: canaries with their networks, and containers that read or wrote files. Other processes
 * may use the same service, so nothing is removed before a living maker would have removed it.
 */
import { minuteMs, secondMs } from "#platform/clock.ts";
import { workspaceLabel } from "../../container/container-labels.ts";
import { canaryPrefix } from "./canary.ts";
import { helperLabel } from "../container-options.ts";
import { hasStatus, inspectContainer, type DockerHost } from "../docker-host.ts";

/** A canary makes about a dozen calls with a limit of a minute each, and a helper that has ended is removed by the next one. */
const leaseMs = 15 * minuteMs;

interface ListedContainer {
  Id: string;
  /** Seconds since the epoch. */
  Created: number;
}

interface ListedNetwork {
  Id: string;
  Created: string;
  Labels: Readonly<Record<string, string>> | null;
}

/** Does nothing if there is nothing to remove. `now`: this machine's time, which is the service's; later in tests. */
export async function removeLeftovers(host: DockerHost, now = Date.now()): Promise<void> {
  const isOver = (at: number): boolean => at < now - leaseMs;
  const containers = await host.docker.call<ListedContainer[]>({
    path: "/containers/json",
    query: { all: true, filters: { label: [helperLabel] } },
  });
  for (const { Id, Created } of containers) {
    const at = Created * secondMs;
    // A running one is in use: a backup may take hours. Without its maker it ends soon.
    if (isOver(at) && isOver((await endedAt(host, Id)) ?? at)) await removeUnused(host, `/containers/${Id}`);
  }
  const networks = await host.docker.call<ListedNetwork[]>({ path: "/networks", query: { filters: { label: [workspaceLabel] } } });
  for (const { Id, Created, Labels } of networks)
    if (Labels?.[workspaceLabel]?.startsWith(canaryPrefix) && isOver(Date.parse(Created))) await removeUnused(host, `/networks/${Id}`);
}

/** When the container ended, or in the future while it runs, in ms since the epoch; undefined if it was never started. */
async function endedAt(host: DockerHost, id: string): Promise<number | undefined> {
  const { State } = (await inspectContainer(host, id)) ?? {};
  if (State?.Running) return Infinity;
  const at = Date.parse(State?.FinishedAt ?? "");
  return at > 0 ? at : undefined;
}

/** Without force: an object in use again stays, which Docker reports as 409 for a container, and 403 for a network. */
async function removeUnused(host: DockerHost, path: string): Promise<void> {
  try {
    await host.docker.call({ method: "DELETE", path });
  } catch (error) {
    if (!hasStatus(error, 403, 404, 409)) throw error;
  }
}
