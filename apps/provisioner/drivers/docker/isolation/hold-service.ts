/** Monitors the container service for as long as workspaces run on it: rules, settings and the service itself change after the start. */
import { minuteMs, secondMs } from "#platform/clock.ts";
import { within } from "#platform/loops/within.ts";
import { DriverFailure, type HostTrouble } from "../../driver.ts";
import { tryOwnHost } from "./canary.ts";
import { findServiceTroubles } from "./check-service.ts";
import type { DockerHost } from "../docker-host.ts";
import { removeLeftovers } from "./remove-leftovers.ts";

/** Rules can be flushed at any time, without notice. A canary takes about a second of processor time. */
const lookEveryMs = 2 * minuteMs;
/** On a busy host, two canaries take longer than the host watch may take before it counts as hanging. */
const usualWaitMs = 10 * secondMs;

export interface HeldService {
  /** Why the service must not run workspaces in production; none if it may. Rejects if it does not answer. */
  check(): Promise<string[]>;
  /** Throws DriverFailure `start_failed` if isolation is required and the last check found a gap. */
  demand(): void;
  /**
   * Whether the service answers; it is checked again every two minutes, and leftovers of killed processes are removed. If a check takes
   * longer, its result is in a later answer.
   */
  hold(): Promise<HostTrouble[]>;
}

export interface HoldOptions {
  /** As in production: without isolation no workspace starts. */
  isDemanded: boolean;
  /** Shorter, and with a canary that tries other addresses, for tests. */
  everyMs?: number;
  waitMs?: number;
  tryHost?: (host: DockerHost) => Promise<string[]>;
}

export function holdService(
  host: DockerHost,
  { isDemanded, everyMs = lookEveryMs, waitMs = usualWaitMs, tryHost = tryOwnHost }: HoldOptions,
): HeldService {
  let found: string[] = [];
  let lookedAt = -Infinity;
  /** Why the last check failed. */
  let unknown: string | undefined;
  let looking: Promise<void> | undefined;
  const check = async (): Promise<string[]> => {
    found = await findServiceTroubles(host, tryHost);
    lookedAt = performance.now();
    return found;
  };
  const look = async (): Promise<void> => {
    // Before the check, whose canary needs a free network. Leftovers that can't be removed do not prevent the check.
    await removeLeftovers(host).catch((err: unknown) =>
      host.log.warn({ err }, "leftovers of ended processes could not be removed from the container service"),
    );
    try {
      if (isDemanded && (await check()).length > 0) await check();
      lookedAt = performance.now();
      unknown = undefined;
    } catch (error) {
      unknown = `it can't be checked: ${(error as Error).message}`;
    }
    looking = undefined;
  };
  // While there is a problem, at each call: workspaces wait for it to be solved.
  const isDue = (): boolean => found.length > 0 || unknown !== undefined || performance.now() - lookedAt >= everyMs;
  return {
    check,
    demand() {
      if (isDemanded && found.length > 0) throw new DriverFailure("start_failed", `it is not started, because ${found.join("; ")}`);
    },
    async hold() {
      try {
        await host.docker.bytes({ path: "/_ping" });
      } catch (error) {
        return [{ kind: "container service", detail: `it can't be used: ${(error as Error).message}` }];
      }
      if (isDue()) looking ??= look();
      if (looking) await within(waitMs, "the check of the container service", looking).catch(() => undefined);
      if (unknown !== undefined) return [{ kind: "container service", detail: unknown }];
      return isDemanded && found.length > 0 ? [{ kind: "network", detail: found.join("; ") }] : [];
    },
  };
}
