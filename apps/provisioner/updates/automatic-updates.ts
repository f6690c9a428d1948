/** Automatic updates: for workspaces that chose them, within their maintenance window, a few at a time. */
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import { say } from "#contract/sentences/say.ts";
import { requestUpdate } from "#domain/updates/request-update.ts";
import { StoryInTheWay } from "#domain/workspaces/stories/begin-story.ts";
import { listHeldVersions } from "#domain/updates/fleet/held-versions.ts";
import { hasRoom, mayHaveRoom } from "#domain/updates/update-room.ts";
import { listFailedVersions, listUpdateCandidates, type UpdateCandidate } from "#domain/updates/update-store.ts";
import { mainHost } from "#domain/workspaces/hosts/host-names.ts";
import { presentReleases } from "#domain/workspaces/present-releases.ts";
import { isInMaintenanceWindow } from "#domain/workspaces/settings/maintenance-window.ts";
import type { JournalLine } from "#domain/workspaces/workspace-store.ts";
import { minuteMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import type { EngineRelease } from "../engines/engine.ts";
import { compareVersions } from "../engines/releases/read-releases.ts";

/** An update takes about this long, and the next one waits for it. */
const everyMs = minuteMs;

export interface AutomaticUpdates {
  db: Database;
  clock: Clock;
  log: Log;
  /** The host of these workspaces; `main` by default. */
  host?: string | undefined;
  engine: EngineName;
  /** Newest first. */
  releases: readonly Pick<EngineRelease, "version" | "channel">[];
}

/**
 * The newest release of the channel; undefined if it already runs, or failed here before. `all`: also those that are not offered now, newest
 * first. A version that is not among them is compared by its number: it has left the list, or is of a newer release of this program.
 */
export function releaseFor(
  { channel, desiredVersion }: Pick<UpdateCandidate, "channel" | "desiredVersion">,
  releases: AutomaticUpdates["releases"],
  failed: ReadonlySet<string> = new Set(),
  all: AutomaticUpdates["releases"] = releases,
): string | undefined {
  const newest = releases.find((release) => channel === "newest" || release.channel === "stable")?.version;
  if (newest === undefined || failed.has(newest)) return undefined;
  const order = all.map(({ version }) => version);
  const isNewer = order.includes(desiredVersion)
    ? order.indexOf(newest) < order.indexOf(desiredVersion)
    : compareVersions(newest, desiredVersion) > 0;
  return isNewer ? newest : undefined;
}

/**
 * The order of their turns: those on the oldest version first, and of these the one that has run it for the longest time. By id, the newest
 * customers of a large host would never have one. A version that is no longer in the list counts as the oldest.
 */
export function byBehindSince(releases: AutomaticUpdates["releases"]) {
  const order = new Map(releases.map(({ version }, index) => [version, index]));
  const behind = ({ desiredVersion }: BehindSince): number => order.get(desiredVersion) ?? releases.length;
  return (one: BehindSince, other: BehindSince): number => behind(other) - behind(one) || one.since.getTime() - other.since.getTime();
}
type BehindSince = Pick<UpdateCandidate, "desiredVersion" | "since">;

/** Requests the updates due now; resolves with their number. Safe to run in several workers at the same time. */
export async function askForDueUpdates({ db, clock, log, host = mainHost, engine, releases: all }: AutomaticUpdates): Promise<number> {
  const now = clock.now();
  if (!(await mayHaveRoom(db, host, now))) return 0;
  const candidates = (await listUpdateCandidates(db, host)).filter(({ maintenanceWindow, timezone }) =>
    isInMaintenanceWindow(maintenanceWindow, timezone, now),
  );
  const held = await listHeldVersions(db, engine);
  const releases = (await presentReleases(db, { engine, releases: all }, now)).filter(({ version }) => !held.has(version));
  const failed = await listFailedVersions(
    db,
    candidates.map(({ id }) => id),
  );
  let asked = 0;
  for (const candidate of candidates.toSorted(byBehindSince(all))) {
    const toVersion = releaseFor(candidate, releases, failed.get(candidate.id), all);
    if (toVersion === undefined) continue;
    const line: JournalLine = { event: "update-requested", message: say("updateInWindow", { version: toVersion }) };
    const wanted = { workspaceId: candidate.id, fromVersion: candidate.desiredVersion, toVersion, askedBy: "window", line } as const;
    const row = await db
      .transaction(async (tx) => {
        if (!(await hasRoom(tx, host, now))) return "no room";
        // A fleet update to this version may have been stopped since.
        return (await listHeldVersions(tx, engine)).has(toVersion) ? null : requestUpdate(tx, wanted, now);
      })
      .catch((error: unknown) => {
        if (!(error instanceof StoryInTheWay)) throw error;
        return null;
      });
    if (row === "no room") break;
    if (row) {
      asked += 1;
      log.info({ workspaceId: candidate.id, from: candidate.desiredVersion, to: toVersion }, "an automatic update was started");
    }
  }
  return asked;
}

/** Looks every minute until stopped. */
export function startAutomaticUpdates(options: AutomaticUpdates & { rounds?: Rounds }): { stop(): Promise<void> } {
  let running: Promise<unknown> = Promise.resolve();
  const look = () => {
    running = running
      .then(() => askForDueUpdates(options))
      .then(
        () => round?.ended(true),
        (error: unknown) => {
          round?.ended(false);
          options.log.warn({ err: error }, "the check for automatic updates failed");
        },
      );
  };
  const round = options.rounds?.follow("automatic updates", everyMs);
  const timer = setInterval(look, everyMs);
  look();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
      round?.end();
    },
  };
}
