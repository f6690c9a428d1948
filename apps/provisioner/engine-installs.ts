/** Engine releases on this host: each is installed once for all workspaces, in the background, with backoff. */
import { hostname } from "node:os";
import { engineInstalls } from "#database/tables.ts";
import { after, minuteMs, secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { EngineInstallFailure, type Engine } from "./engines/engine.ts";

/**
 * `isUnknown`: this program does not know the release, and it is not on this host. A worker of another version may know it. `mayBeThere`: a
 * node may still have its image, so that a workspace of this release that does not run may be started, but none changed to it.
 */
export type InstallState =
  | { state: "installed" }
  | { state: "installing"; percent: number; mayBeThere?: true }
  | { state: "failed"; reason: string; retryAt: Date; isUnknown?: boolean; mayBeThere?: true };

export interface EngineInstalls {
  /** Returns the state of the release on this host, and begins its installation when it is due. */
  request(version: string): Promise<InstallState>;
  /** Aborts running installations; nothing half-installed is left in place. */
  stop(): Promise<void>;
}

/** 10 s, 30 s, 90 s … at most 10 minutes: a registry that cannot be reached is usually back soon. */
const longestBackoffMs = 10 * minuteMs;
export const backoffMs = (attempts: number, longestMs: number): number => Math.min(10 * secondMs * 3 ** (attempts - 1), longestMs);

interface Attempt {
  state: InstallState;
  attempts: number;
  running?: Promise<void>;
}

/**
 * The installations of one engine on this host; a table records them for operators. The newest release, which each start requests, is tried
 * again without another request: a network that was gone during the first installation must not leave it to the first launch. Other releases
 * are requested by the workspaces that need them, for as long as they do.
 */
export function createEngineInstalls({ db, engine, clock, log }: { db: Database; engine: Engine; clock: Clock; log: Log }): EngineInstalls {
  const byVersion = new Map<string, Attempt>();
  /** Attempted once per run of this process: starts work without it. */
  const preparing = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const newest = engine.releases[0]?.version;
  let retry: NodeJS.Timeout | undefined;

  const record = async (version: string, { state, attempts }: Attempt) => {
    const values = {
      state: state.state,
      percent: state.state === "installing" ? state.percent : state.state === "installed" ? 100 : 0,
      reason: state.state === "failed" ? state.reason : null,
      retryAt: state.state === "failed" ? state.retryAt : null,
      attempts,
      updatedAt: clock.now(),
    };
    await db
      .insert(engineInstalls)
      .values({ host: hostname(), engine: engine.name, version, ...values })
      .onConflictDoUpdate({ target: [engineInstalls.host, engineInstalls.engine, engineInstalls.version], set: values })
      .catch((error: unknown) => log.warn({ err: error }, "the state of an install could not be recorded"));
  };

  const prepare = async (version: string) => {
    const startedAt = Date.now();
    try {
      await engine.prepare?.(version, stopping.signal);
      log.info(
        { engine: engine.name, version, seconds: Math.round((Date.now() - startedAt) / 1000) },
        "the engine is prepared for quick starts",
      );
    } catch (error) {
      if (!stopping.signal.aborted) log.warn({ err: error, engine: engine.name, version }, "starts of this engine stay slow");
    }
  };
  const prepareOnce = (version: string): Promise<void> => {
    const running = preparing.get(version) ?? prepare(version);
    preparing.set(version, running);
    return running;
  };

  const install = async (version: string, attempt: Attempt) => {
    attempt.attempts += 1;
    attempt.state = { state: "installing", percent: 0 };
    log.info({ engine: engine.name, version }, "installing the engine");
    await record(version, attempt);
    const startedAt = Date.now();
    try {
      await engine.install(version, (percent) => (attempt.state = { state: "installing", percent: Math.floor(percent) }), stopping.signal);
      await prepareOnce(version);
      stopping.signal.throwIfAborted();
      attempt.state = { state: "installed" };
      log.info({ engine: engine.name, version, seconds: Math.round((Date.now() - startedAt) / 1000) }, "the engine is installed");
    } catch (error) {
      if (stopping.signal.aborted) return;
      const reason = error instanceof EngineInstallFailure ? `${error.code}: ${error.message}` : String(error);
      const isUnknown = error instanceof EngineInstallFailure && error.code === "unknown";
      const pauseMs = backoffMs(attempt.attempts, longestBackoffMs);
      attempt.state = { state: "failed", reason, retryAt: after(clock.now(), pauseMs), isUnknown };
      if (version === newest && !isUnknown) retryAfter(pauseMs, version, attempt);
      log.error({ engine: engine.name, version, reason }, "The engine could not be installed");
    }
    await record(version, attempt);
  };

  const begin = (version: string, attempt: Attempt): void => {
    attempt.running ??= install(version, attempt).finally(() => delete attempt.running);
  };
  function retryAfter(pauseMs: number, version: string, attempt: Attempt): void {
    clearTimeout(retry);
    // By this timer alone: the clock, which the pause is announced by, may have been moved. A workspace may have been quicker.
    retry = setTimeout(() => attempt.state.state === "failed" && begin(version, attempt), pauseMs).unref();
  }

  /** Also if the clock was set back since: no pause is longer than the longest. */
  const isOver = (retryAt: Date) => retryAt <= clock.now() || retryAt > after(clock.now(), longestBackoffMs);

  return {
    async request(version) {
      const attempt: Attempt = byVersion.get(version) ?? {
        state: { state: "failed", reason: "not begun", retryAt: new Date(0) },
        attempts: 0,
      };
      byVersion.set(version, attempt);
      // Checked each time: an engine deleted by hand is installed again, and one copied into place is used.
      if (!attempt.running && (await engine.isInstalled(version))) {
        // In the background: a start does not wait for it.
        void prepareOnce(version);
        return { state: "installed" };
      }
      if (!attempt.running && (attempt.state.state !== "failed" || isOver(attempt.state.retryAt))) {
        begin(version, attempt);
      }
      return attempt.state;
    },
    async stop() {
      stopping.abort();
      clearTimeout(retry);
      await Promise.all([...[...byVersion.values()].flatMap((attempt) => attempt.running ?? []), ...preparing.values()]);
    },
  };
}
