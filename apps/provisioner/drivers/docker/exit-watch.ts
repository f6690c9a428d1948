/**
 * Notices quickly when a workspace's container has ended: through the service's events, and a periodic list, because events can get lost.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { secondMs } from "#platform/clock.ts";
import { workspaceLabel } from "../container/container-labels.ts";
import { linesOf } from "./docker-api.ts";
import type { DockerHost } from "./docker-host.ts";

/** Podman reports no ends to listeners that request only those; Docker's events get lost only with the connection. */
const lookEveryMs = 2 * secondMs;
const reconnectAfterMs = secondMs;

interface ExitWatch {
  /** This container of the workspace runs: its end will be announced once. */
  noteRunning(workspaceId: string, containerId: string): void;
  /** It no longer runs: this container, or whichever was known to. */
  announce(workspaceId: string, containerId?: string): void;
  /** Containers that run, by workspace. */
  list(): Promise<Map<string, string>>;
  listen(onExit: (workspaceId: string) => void): () => void;
}

export function createExitWatch(host: DockerHost): ExitWatch {
  const running = new Map<string, string>();
  const listeners = new Set<(workspaceId: string) => void>();
  let stopping: AbortController | undefined;

  /** Containers whose end was announced: Docker lists one as running for a moment after it has reported its end. */
  let over = new Set<string>();

  const announce = (workspaceId: string, containerId = running.get(workspaceId)): void => {
    if (containerId === undefined || running.get(workspaceId) !== containerId) return;
    running.delete(workspaceId);
    over.add(containerId);
    for (const each of listeners) each(workspaceId);
  };
  const list = async (): Promise<Map<string, string>> => {
    const before = new Map(running);
    const found = await host.docker.call<{ Id: string; Labels: Record<string, string> }[]>({
      path: "/containers/json",
      query: { filters: { label: [workspaceLabel], status: ["running"] } },
    });
    const now = new Map(found.filter(({ Id }) => !over.has(Id)).map(({ Labels, Id }) => [Labels[workspaceLabel]!, Id]));
    over = new Set(found.flatMap(({ Id }) => (over.has(Id) ? [Id] : [])));
    // Only containers known before the list: a newer one may be missing from it.
    for (const [workspaceId, id] of before) if (now.get(workspaceId) !== id) announce(workspaceId, id);
    for (const [workspaceId, id] of now) running.set(workspaceId, id);
    return now;
  };
  const look = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await list().catch((err: unknown) => host.log.warn({ err }, "the containers could not be listed"));
      await sleep(lookEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  const hear = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await hearEvents(host, signal, announce).catch(() => undefined);
      await sleep(reconnectAfterMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  return {
    noteRunning: (workspaceId, containerId) => void running.set(workspaceId, containerId),
    announce,
    list,
    listen(onExit) {
      const listener = (workspaceId: string) => onExit(workspaceId);
      listeners.add(listener);
      if (!stopping) {
        stopping = new AbortController();
        void look(stopping.signal);
        void hear(stopping.signal);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stopping?.abort();
        stopping = undefined;
      };
    },
  };
}

interface ContainerEvent {
  Action?: string;
  status?: string;
  id?: string;
  Actor?: { ID?: string; Attributes?: Record<string, string> };
}

async function hearEvents(host: DockerHost, signal: AbortSignal, announce: ExitWatch["announce"]): Promise<void> {
  const query = { filters: { type: ["container"], label: [workspaceLabel] } };
  const events = await host.docker.stream({ path: "/events", query, signal });
  try {
    for await (const line of linesOf(events)) {
      if (line.trim() === "") continue;
      const { Action, status, Actor, id } = JSON.parse(line) as ContainerEvent;
      const workspaceId = Actor?.Attributes?.[workspaceLabel];
      const containerId = Actor?.ID ?? id;
      if (workspaceId && containerId && ["die", "died"].includes(Action ?? status ?? "")) announce(workspaceId, containerId);
    }
  } finally {
    events.destroy();
  }
}
