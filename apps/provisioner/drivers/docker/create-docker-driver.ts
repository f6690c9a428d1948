/** Runs workspaces as containers of Docker or Podman: a container, a network and a volume each. All state is kept in the service. */
import { createSlots } from "#platform/loops/slots.ts";
import { checkRunSpec, checkStorage, checkWorkspaceId } from "../check-run-spec.ts";
import type { Driver, RunObservation, RunSpec, RunUsage } from "../driver.ts";
import { fail } from "../driver-trouble.ts";
import { newestText } from "../newest-text.ts";
import { createOneAtATime } from "../one-at-a-time.ts";
import { readStorage, replaceStorage } from "./container-storage.ts";
import { helperLabel } from "./container-options.ts";
import {
  hasStatus,
  inspectContainer,
  namesOf,
  openDockerHost,
  unlessMissing,
  type DockerDriverOptions,
  type DockerHost,
} from "./docker-host.ts";
import { createExitWatch } from "./exit-watch.ts";
import { findImage } from "./find-image.ts";
import { holdService, type HeldService, type HoldOptions } from "./isolation/hold-service.ts";
import { observeContainer } from "./observe-container.ts";
import { makeVolume, removeContainer, runContainer, stopContainer } from "./run-container.ts";

export interface DockerDriver extends Driver {
  readonly host: DockerHost;
  readonly service: HeldService;
}

/** A service answers a question about one container in milliseconds, and about a hundred at a time in seconds. */
const questionsAtOnce = 8;

/** A driver over one service; several may share it, in one process or in several. */
export function createDockerDriver(options: DockerDriverOptions & HoldOptions): DockerDriver {
  const host = openDockerHost(options);
  const service = holdService(host, options);
  const exits = createExitWatch(host);
  const inTurn = createOneAtATime();
  const questions = createSlots({ most: questionsAtOnce });
  const observe = async (workspaceId: string): Promise<RunObservation> => {
    const { containerId, ...seen } = await observeContainer(host, workspaceId);
    if (containerId) exits.noteRunning(workspaceId, containerId);
    else exits.announce(workspaceId);
    return seen;
  };
  return {
    host,
    service,
    name: "docker",
    runsImages: true,
    ensure: async (spec) => {
      checkRunSpec(spec);
      return inTurn(spec.workspaceId, async () => {
        await ensureContainer(host, spec, () => service.demand());
        return observe(spec.workspaceId);
      }).catch((error: unknown) =>
        fail(error, spec.run ? "start_failed" : "stop_failed", `the workspace could not be ${spec.run ? "started" : "stopped"}`),
      );
    },
    observe: async (workspaceId) => {
      checkWorkspaceId(workspaceId);
      return observe(workspaceId);
    },
    listRunning: async () => new Set((await exits.list()).keys()),
    holdHost: () => service.hold(),
    proveImage: async (image) => void (await findImage(host, image)),
    cannotFreeze: "Docker pauses a container but does not page its memory out, so sleeping workspaces are stopped",
    remove: async (workspaceId) => {
      checkWorkspaceId(workspaceId);
      await inTurn(workspaceId, () => removeAll(host, workspaceId)).catch((error: unknown) =>
        fail(error, "stop_failed", "the workspace could not be removed"),
      );
      exits.announce(workspaceId);
    },
    readStorage: async (place, paths, unread) => {
      checkStorage(place, paths);
      return readStorage(host, place, paths, unread).catch((error: unknown) =>
        fail(error, "storage_failed", "the workspace's files could not be read"),
      );
    },
    replaceStorage: async (place, paths, archive) => {
      checkStorage(place, paths);
      await inTurn(place.workspaceId, () => replaceStorage(host, place, paths, archive)).catch((error: unknown) =>
        fail(error, "storage_failed", "the workspace's files could not be replaced"),
      );
    },
    logs: async (workspaceId, maxBytes) => {
      checkWorkspaceId(workspaceId);
      return readLogs(host, workspaceId, maxBytes);
    },
    usage: async (workspaceIds) => {
      workspaceIds.forEach((id) => checkWorkspaceId(id));
      // Once one has failed, the answers of the others are not used: with a hanging service, each would wait for its time limit.
      const failed = new AbortController();
      const ask = async (id: string) => {
        failed.signal.throwIfAborted();
        try {
          return [id, await measure(host, id)] as const;
        } catch (error) {
          failed.abort(error);
          throw error;
        }
      };
      const measured = await Promise.all(workspaceIds.map((id) => questions.run(() => ask(id))));
      return new Map(measured.filter((each): each is [string, RunUsage] => each[1] !== undefined));
    },
    watch: (onExit) => exits.listen(onExit),
  };
}

async function ensureContainer(host: DockerHost, spec: RunSpec, demandIsolation: () => void): Promise<void> {
  if (spec.run) return runContainer(host, spec, demandIsolation);
  const found = await inspectContainer(host, namesOf(spec.workspaceId).container);
  if (!found) return makeVolume(host, spec.workspaceId);
  await stopContainer(host, found, spec.stopTimeoutMs);
}

/** The container first, so that nothing uses the rest any more. */
async function removeAll(host: DockerHost, workspaceId: string): Promise<void> {
  const { container, previous, volume, network } = namesOf(workspaceId);
  const helpers = await host.docker.call<{ Id: string }[]>({
    path: "/containers/json",
    query: { all: true, filters: { label: [`${helperLabel}=${workspaceId}`] } },
  });
  for (const name of [container, previous, ...helpers.map(({ Id }) => Id)]) await removeContainer(host, name);
  await unlessMissing(host.docker.call({ method: "DELETE", path: `/volumes/${volume}` }));
  await unlessMissing(host.docker.call({ method: "DELETE", path: `/networks/${network}` }));
}

/** Of the container that runs or ran last, and of the one before. */
async function readLogs(host: DockerHost, workspaceId: string, maxBytes: number): Promise<string> {
  if (maxBytes <= 0) return "";
  const { container, previous } = namesOf(workspaceId);
  const pieces = await Promise.all(
    [previous, container].map(async (name) => {
      const output = await unlessMissing(
        host.docker.bytes({ path: `/containers/${name}/logs`, query: { stdout: true, stderr: true, tail: linesOf(maxBytes) } }),
      );
      return withoutFrames(output ?? Buffer.alloc(0));
    }),
  );
  return newestText(Buffer.concat(pieces), maxBytes);
}

/** More lines than fit: few are shorter than 20 bytes. */
const linesOf = (maxBytes: number): number => Math.ceil(maxBytes / 20) + 10;

/** The raw output: each piece is preceded by eight bytes, the last four of which are its length. */
function withoutFrames(framed: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at + 8 <= framed.length;) {
    const end = at + 8 + framed.readUInt32BE(at + 4);
    pieces.push(framed.subarray(at + 8, end));
    at = end;
  }
  return Buffer.concat(pieces);
}

async function measure(host: DockerHost, workspaceId: string): Promise<RunUsage | undefined> {
  const asked = host.docker.call<{
    memory_stats?: { usage?: number; stats?: Readonly<Record<string, number>> };
    cpu_stats?: { cpu_usage?: { total_usage?: number } };
  }>({
    path: `/containers/${namesOf(workspaceId).container}/stats`,
    query: { stream: false, "one-shot": true },
  });
  const unlessEnded = asked.catch((error: unknown) => {
    // Podman's answer about a container that has just ended; Docker's has no figures.
    if (hasStatus(error, 409)) return undefined;
    throw error;
  });
  const { memory_stats: memory, cpu_stats: processor } = (await unlessMissing(unlessEnded)) ?? {};
  if (!memory?.usage) return undefined;
  // Recently read files are counted as well, and given back when memory is short.
  const stats = memory.stats;
  const cached = stats?.["total_inactive_file"] ?? stats?.["inactive_file"] ?? 0;
  const nanoseconds = processor?.cpu_usage?.total_usage;
  return {
    memoryMb: Math.round((memory.usage - cached) / 1024 ** 2),
    ...(nanoseconds !== undefined && { cpuSeconds: nanoseconds / 1e9 }),
  };
}
