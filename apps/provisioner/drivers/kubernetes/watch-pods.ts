/**
 * Follows the workspaces' pods: a list, then a watch from there, indefinitely. It lists again when the API server no longer knows the
 * position (410), and every five minutes, because a watch that broke silently shows nothing.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { V1Pod } from "@kubernetes/client-node";
import { minuteMs, secondMs } from "#platform/clock.ts";
import type { Cluster } from "./open-cluster.ts";
import { uidOf } from "./pod-state.ts";
import { ownPods } from "./workspace-objects.ts";

interface PodNews {
  /** A pod as it is now. */
  seen(pod: V1Pod): void;
  /** It is no longer in the cluster. */
  gone(pod: V1Pod): void;
  /** The complete list. Pods known before the list began that are not in it are gone. */
  listed(pods: readonly V1Pod[], begunAt: number): void;
}

const relistMs = 5 * minuteMs;
const retryMs = secondMs;
/** The pause before looking again at a pod whose watch was refused or broke off. */
const againMs = 250;

/** Returns the function that ends it. */
export function watchPods(cluster: Cluster, news: PodNews, relistEveryMs: number = relistMs): () => void {
  const end = new AbortController();
  void follow(cluster, news, relistEveryMs, end.signal);
  return () => end.abort();
}

async function follow(cluster: Cluster, news: PodNews, relistEveryMs: number, ended: AbortSignal): Promise<void> {
  /** Logged once: it is repeated each second, for hours perhaps. */
  let failure: string | undefined;
  while (!ended.aborted) {
    try {
      const begunAt = performance.now();
      const { items, metadata } = await cluster.core.listNamespacedPod({ namespace: cluster.namespace, labelSelector: ownPods });
      if (ended.aborted) return;
      failure = undefined;
      for (const pod of items) news.seen(pod);
      news.listed(items, begunAt);
      let version: string | undefined = metadata?.resourceVersion;
      while (version !== undefined && performance.now() < begunAt + relistEveryMs && !ended.aborted) {
        const watchedFrom = performance.now();
        version = await watchFrom(cluster, news, version, Math.max(secondMs, begunAt + relistEveryMs - performance.now()), ended);
        // A server that ends each watch as soon as it begins is not called without a pause.
        if (performance.now() - watchedFrom < retryMs) await pause(ended);
      }
    } catch (error) {
      const { message } = error as Error;
      if (!ended.aborted && failure !== message) cluster.log.warn({ err: error }, "the workspaces' pods could not be listed");
      failure = message;
      await pause(ended);
    }
  }
}

const pause = (ended: AbortSignal): Promise<void> => sleep(retryMs, undefined, { signal: ended, ref: false }).catch(() => undefined);

/** The place to continue from, or undefined if the API server no longer knows this one. */
function watchFrom(cluster: Cluster, news: PodNews, from: string, mostMs: number, ended: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let version: string | undefined = from;
    const query = {
      labelSelector: ownPods,
      resourceVersion: from,
      allowWatchBookmarks: true,
      timeoutSeconds: Math.ceil(mostMs / secondMs),
    };
    const hear = (type: string, pod: V1Pod & { code?: number }): void => {
      if (ended.aborted) return;
      // 410 Gone, for example: whatever it is, a new list helps.
      if (type === "ERROR") return void (version = undefined);
      version &&= pod.metadata?.resourceVersion;
      if (type === "BOOKMARK") return;
      if (type === "DELETED") news.gone(pod);
      else news.seen(pod);
    };
    const path = `/api/v1/namespaces/${cluster.namespace}/pods`;
    // The client ends a quiet watch after 30 s as an error; the next one continues where it was.
    const finish = (error: unknown): void => {
      const isQuiet = !error || ended.aborted || (error as Error).name === "TimeoutError";
      if ((error as { statusCode?: number } | null)?.statusCode === 410) resolve(undefined);
      else if (isQuiet) resolve(version);
      else reject(error);
    };
    cluster.watcher.watch(path, query, hear, finish).then((controller) => {
      if (ended.aborted) controller.abort();
      ended.addEventListener("abort", () => controller.abort(), { once: true });
      return undefined;
    }, reject);
  });
}

/**
 * Follows one pod by name until `test` is true, and returns it then; undefined if that takes longer than `mostMs`. `test` is called with
 * undefined while there is none.
 */
export async function waitForPod(
  cluster: Cluster,
  name: string,
  mostMs: number,
  test: (pod: V1Pod | undefined) => boolean,
): Promise<{ pod: V1Pod | undefined } | undefined> {
  const deadline = performance.now() + mostMs;
  const { namespace } = cluster;
  while (performance.now() < deadline) {
    const { items, metadata } = await cluster.core.listNamespacedPod({ namespace, fieldSelector: `metadata.name=${name}` });
    if (test(items[0])) return { pod: items[0] };
    const found = await watchOne(cluster, name, metadata?.resourceVersion ?? "", deadline - performance.now(), test);
    if (found) return found;
    await sleep(Math.max(0, Math.min(againMs, deadline - performance.now())));
  }
  return undefined;
}

function watchOne(
  cluster: Cluster,
  name: string,
  resourceVersion: string,
  mostMs: number,
  test: (pod: V1Pod | undefined) => boolean,
): Promise<{ pod: V1Pod | undefined } | undefined> {
  return new Promise((resolve) => {
    const end = new AbortController();
    let timer: NodeJS.Timeout | undefined = undefined;
    const finish = (found?: { pod: V1Pod | undefined }): void => {
      clearTimeout(timer);
      resolve(found);
      end.abort();
    };
    timer = setTimeout(finish, Math.max(0, mostMs));
    const query = { fieldSelector: `metadata.name=${name}`, resourceVersion };
    const hear = (type: string, pod: V1Pod): void => {
      if (type === "ERROR") return finish();
      const now = type === "DELETED" ? undefined : pod;
      if (test(now)) finish({ pod: now });
    };
    cluster.watcher
      .watch(`/api/v1/namespaces/${cluster.namespace}/pods`, query, hear, () => finish())
      .then(
        (controller) => {
          // One that begins only after the end would stay open without a listener.
          if (end.signal.aborted) controller.abort();
          end.signal.addEventListener("abort", () => controller.abort(), { once: true });
          return undefined;
        },
        () => finish(),
      );
  });
}

/** Which workspaces run, as far as this process has seen, so that the end of each is announced once. */
export class RunningPods {
  readonly #known = new Map<string, { uid: string; notedAt: number }>();
  readonly #listeners = new Set<(workspaceId: string) => void>();

  listen(onExit: (workspaceId: string) => void): () => void {
    this.#listeners.add(onExit);
    return () => void this.#listeners.delete(onExit);
  }

  noteRunning(workspaceId: string, pod: V1Pod): void {
    this.#known.set(workspaceId, { uid: uidOf(pod), notedAt: performance.now() });
  }

  noteEnded(workspaceId: string, uid: string): void {
    if (this.#known.get(workspaceId)?.uid !== uid) return;
    this.#known.delete(workspaceId);
    for (const listener of this.#listeners) listener(workspaceId);
  }

  /** It has no pod. */
  noteAbsent(workspaceId: string): void {
    const known = this.#known.get(workspaceId);
    if (known) this.noteEnded(workspaceId, known.uid);
  }

  /** Announces the end of those known before `begunAt` that are not among these uids. */
  noteListed(uids: ReadonlySet<string>, begunAt: number): void {
    for (const [workspaceId, { uid, notedAt }] of this.#known) if (notedAt < begunAt && !uids.has(uid)) this.noteEnded(workspaceId, uid);
  }
}
