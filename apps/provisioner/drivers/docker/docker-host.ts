/** A container service's socket, the names of a workspace's objects there, and the words for its refusals. */
import type { LineKeys } from "#platform/lines/line-keys.ts";
import type { Log } from "#platform/log.ts";
import { knownOnce } from "#platform/loops/known-once.ts";
import { dataFolder } from "../container/image-places.ts";
import type { HostPlaces } from "../container/launch-order.ts";
import { DockerRefusal, openDockerApi, type ContainerInfo, type DockerApi, type DockerLimits } from "./docker-api.ts";

export interface DockerDriverOptions {
  /** Absolute path of the socket of Docker or of Podman. */
  socketPath: string;
  /** The full name of an image that a spec names, with its registry. */
  imageName(image: string | undefined): string;
  /** What specs' paths refer to on the host of the control plane. */
  host: HostPlaces;
  /** Processors that one workspace may use. */
  cpus: number;
  /** Name servers of workspaces; if none, the service's own choice. */
  nameServers?: readonly string[] | undefined;
  /** Storage of one workspace in MB, if the service's disk has quotas. */
  diskMb: number;
  /** The keys with which workspaces prove their ids: a container's address may belong to another one a moment later. */
  lineKeys: LineKeys;
  log: Log;
  /** How long the service may take; shorter for tests. */
  limits?: DockerLimits;
}

export interface DockerHost extends DockerDriverOptions {
  docker: DockerApi;
  /** Requested once; rejects if the service does not answer. */
  isPodman(): Promise<boolean>;
}

export function openDockerHost(options: DockerDriverOptions): DockerHost {
  const docker = openDockerApi(options.socketPath, options.limits);
  const isPodman = knownOnce(async () => {
    const { Components = [] } = await docker.call<{ Components?: { Name: string }[] }>({ path: "/version" });
    return Components.some(({ Name }) => Name.includes("Podman"));
  });
  return { ...options, docker, isPodman };
}

/**
 * A workspace's objects: a volume and a network with the same name, the container, whose fixed name is the lock, and the previous
 * container, which is kept for its output. Ids contain no dots, so no name is another workspace's.
 */
export const namesOf = (workspaceId: string) => ({
  container: `slipway-${workspaceId}`,
  previous: `slipway-${workspaceId}.previous`,
  helper: `slipway-${workspaceId}.files-`,
  volume: `slipway-${workspaceId}`,
  network: `slipway-${workspaceId}`,
});

/** How a workspace's volume is mounted. */
export const dataMount = (workspaceId: string): string => `${namesOf(workspaceId).volume}:${dataFolder}`;

/** Whether the service refused with one of these statuses. */
export const hasStatus = (error: unknown, ...statuses: number[]): boolean =>
  error instanceof DockerRefusal && statuses.includes(error.status);

/** The requested object, or undefined if there is none. */
export async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  }
}

/** The container with this name or id, as it is now. */
export const inspectContainer = (host: DockerHost, name: string): Promise<ContainerInfo | undefined> =>
  unlessMissing(host.docker.call<ContainerInfo>({ path: `/containers/${name}/json` }));

/** Makes a container and returns its id. */
export const createContainer = async (host: DockerHost, { name, ...options }: { name: string } & object): Promise<string> => {
  const { Id } = await host.docker.call<{ Id: string }>({ method: "POST", path: "/containers/create", query: { name }, body: options });
  return Id;
};

export const startContainer = (host: DockerHost, id: string): Promise<undefined> =>
  host.docker.call({ method: "POST", path: `/containers/${id}/start` });

/** Resolves with its exit code once it has stopped; rejects if it still runs after `mostMs`, by default the limit of a change. */
export const waitForContainer = async (host: DockerHost, id: string, mostMs?: number): Promise<number> => {
  const query = { condition: "not-running" };
  const ended = await host.docker.call<{ StatusCode: number }>({
    method: "POST",
    path: `/containers/${id}/wait`,
    query,
    ...(mostMs !== undefined && { mostMs }),
  });
  return ended.StatusCode;
};

/** Whether there is a volume or network with this name. */
export const isThere = async (host: DockerHost, kind: "volumes" | "networks", name: string): Promise<boolean> =>
  (await unlessMissing(host.docker.bytes({ path: `/${kind}/${name}` }))) !== undefined;
