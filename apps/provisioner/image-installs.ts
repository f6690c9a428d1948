/**
 * Releases of workspaces that run from images. An image counts as present once a workspace could be started from it where workspaces run,
 * which is proved in the background, for all releases that this program knows, again every hour. The result is recorded, so that
 * only what is present is offered (domain/workspaces/present-releases.ts).
 */
import { notePresence } from "#domain/workspaces/present-releases.ts";
import { after, hourMs, minuteMs, secondMs, sinceMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { DriverFailure, type Driver } from "./drivers/driver.ts";
import { backoffMs, type EngineInstalls, type InstallState } from "./engine-installs.ts";
import type { Engine } from "./engines/engine.ts";
import { rehearsedWorkspace } from "./engines/install/rehearsed-workspace.ts";

/** An image disappears from a registry by a person's mistake, or by a rule that deletes old ones at night. */
const provedForMs = hourMs;
/** Shorter than between installations: a proof of a missing image is one small pod, and its operator waits for the result. */
const longestBackoffMs = 5 * minuteMs;
/** A release is asked for at each pass over each of its workspaces anyway; this is for those that no workspace has. */
const lookEveryMs = 30 * secondMs;
/** A release that this program does not know. */
const unknownRetryMs = 5 * minuteMs;

interface Known {
  state: InstallState;
  /** When that was found out; null before the first proof has ended. */
  at: Date | null;
  failures: number;
  running?: Promise<void>;
}

type Parts = {
  db: Database;
  engine: Pick<Engine, "name" | "displayName" | "releases" | "runSpec" | "createSecrets">;
  driver: Required<Pick<Driver, "proveImage">>;
  clock: Clock;
  log: Log;
};

export function createImageInstalls({ db, engine, driver, clock, log }: Parts): EngineInstalls {
  const byVersion = new Map<string, Known>();
  const stopping = new AbortController();
  const images = new Map(
    engine.releases.map(({ version }) => [version, engine.runSpec(rehearsedWorkspace(engine), version).image!] as const),
  );

  const conclude = async (version: string, known: Known, reason: string | null): Promise<void> => {
    known.at = clock.now();
    known.failures = reason === null ? 0 : known.failures + 1;
    known.state =
      reason === null
        ? { state: "installed" }
        : { state: "failed", reason, retryAt: after(clock.now(), backoffMs(known.failures, longestBackoffMs)), mayBeThere: true };
    await notePresence(db, { engine: engine.name, version, reason }, clock.now()).catch((err: unknown) =>
      log.warn({ err }, "whether an image is present could not be recorded"),
    );
  };

  const prove = async (version: string, known: Known): Promise<void> => {
    const image = images.get(version)!;
    const wasPresent = known.state.state === "installed";
    try {
      await driver.proveImage(image, stopping.signal);
      if (!wasPresent) log.info({ engine: engine.name, version, image }, "the image of this release is present");
      await conclude(version, known, null);
    } catch (error) {
      if (stopping.signal.aborted) return;
      const { message } = error as Error;
      const isMissing = error instanceof DriverFailure && error.code === "no_image";
      log.error({ engine: engine.name, version, image, reason: message }, "The image of this release could not be proved present");
      // A cluster that is full or does not answer says nothing about the image.
      await conclude(version, known, wasPresent && !isMissing ? null : message);
    }
  };

  const isDue = ({ state, at }: Known): boolean => {
    if (at === null) return true;
    // Also if the clock was set back since.
    if (state.state === "failed") return state.retryAt <= clock.now() || at > clock.now();
    return Math.abs(sinceMs(at, clock.now())) >= provedForMs;
  };

  const request = (version: string): InstallState => {
    if (!images.has(version)) {
      const reason = `unknown: there is no image of ${engine.displayName} ${version}`;
      return { state: "failed", reason, retryAt: after(clock.now(), unknownRetryMs), isUnknown: true };
    }
    const known: Known = byVersion.get(version) ?? { state: { state: "installing", percent: 0, mayBeThere: true }, at: null, failures: 0 };
    byVersion.set(version, known);
    if (!known.running && !stopping.signal.aborted && isDue(known))
      known.running = prove(version, known).finally(() => delete known.running);
    return known.state;
  };

  const lookAtAll = (): void => void [...images.keys()].forEach(request);
  const timer = setInterval(lookAtAll, lookEveryMs).unref();
  lookAtAll();
  return {
    request: (version) => Promise.resolve(request(version)),
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await Promise.all([...byVersion.values()].flatMap(({ running }) => running ?? []));
    },
  };
}
