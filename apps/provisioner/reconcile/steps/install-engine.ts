/** The step that installs the release on this host. */
import { say } from "#contract/sentences/say.ts";
import { readBackup } from "#domain/backups/backup-store.ts";
import { findOpenRestore } from "#domain/backups/restores/restore-store.ts";
import { listHeldVersions } from "#domain/updates/fleet/held-versions.ts";
import { isNewer } from "#domain/workspaces/newer-version.ts";
import { replaceDesiredVersion } from "#domain/workspaces/observed/observation-store.ts";
import { presentReleases } from "#domain/workspaces/present-releases.ts";
import { ChangeClosed } from "#domain/workspaces/stories/begin-story.ts";
import type { JournalLine } from "#domain/workspaces/workspace-store.ts";
import { minuteMs, secondMs, sinceMs } from "#platform/clock.ts";
import { rollBackUninstalled } from "../../updates/roll-back.ts";
import { begins, leave, progressMs, done, wait, type Scope, type Step, type StepResult } from "../step.ts";

/** A worker of another version of this program, which may know the release, takes a launch within seconds. */
const leavesForMs = minuteMs;

/** Between looks at whether a release that cannot be installed is there after all; after several failures, as long as the next try is away. */
const leastRetryMs = 10 * secondMs;

/** What runs needs no release, so a missing or unknown one never closes it: only a start needs its files. */
export const installEngine: Step = {
  name: "install-engine",
  async run(scope) {
    const { target, engine, seen, observed, workspace, clock } = scope;
    const install = await scope.installs.request(target.version);
    if (install.state === "installed") return done;
    if (seen.state === "running" && seen.generation === target.generation && seen.waitsFor === undefined) return done;
    // A wake waits for no proof; the limit and the cause are those of a start that finds no image.
    if (install.mayBeThere && seen.state !== "running" && observed.observedVersion === target.version) return done;
    if (install.state === "failed") {
      if (install.isUnknown && sinceMs(workspace.updatedAt, clock.now()) < leavesForMs) return leave;
      if (install.isUnknown && (await takeOfferedRelease(scope))) return wait(0);
      const rolledBack = await rollBackUninstalled(scope);
      if (rolledBack) return rolledBack;
    }
    const kept = await keepRunning(scope, install.state === "failed" ? install : null);
    if (kept) return kept;
    if (install.state === "failed")
      return { kind: "failed", ...failedLine, reason: failedLine.message, detail: install.reason, retryAt: install.retryAt };
    const percent = begins.install + Math.floor((install.percent * begins.prepare) / 100);
    await scope.showProgress("install-engine", say("installing", { engine: engine.displayName, version: target.version }), percent);
    return wait(progressMs, async () => (await scope.installs.request(target.version)).state !== "installing");
  },
};

const failedLine = { event: "install-failed", message: say("installFailed") } as const satisfies JournalLine;

/**
 * A workspace that has never run, and whose release has left the repository in the meantime: it comes back from a backup, or its launch was
 * delayed. It gets the newest release of its channel that is offered and can open its backup, if possible none that a fleet update holds;
 * false if there is none.
 */
async function takeOfferedRelease({ db, workspace, observed, engine, clock, observe, log }: Scope): Promise<boolean> {
  const { id, desiredVersion: from, channel } = workspace;
  if (observed.observedVersion !== null) return false;
  const restore = await findOpenRestore(db, id);
  const oldest = (restore && (await readBackup(db, restore.backupId))?.engineVersion) ?? "0.0.0";
  const offered = await presentReleases(db, { engine: engine.name, releases: engine.releases }, clock.now());
  const fitting = offered.filter(({ version }) => !isNewer(oldest, version));
  const held = await listHeldVersions(db, engine.name);
  // One that a fleet update holds comes last: better than none.
  const inOrder = [...fitting.filter(({ version }) => !held.has(version)), ...fitting];
  const to = (inOrder.find((release) => channel === "newest" || release.channel === "stable") ?? inOrder[0])?.version;
  if (to === undefined) return false;
  const message = say("versionReplaced", { engine: engine.displayName, from, to });
  await observe({ failures: 0, reason: null, reasonCode: null }, { event: "version-replaced", message }, async (tx) => {
    if (!(await replaceDesiredVersion(tx, id, { from, to }))) throw new ChangeClosed(id);
  });
  log.info({ workspaceId: id, from, to }, "a workspace begins with another release, because its own has left the repository");
  return true;
}

/**
 * A restart, for new settings or a plan, waits until the release is there: until then, what runs keeps running as it was started. Null if
 * nothing of this version runs.
 */
async function keepRunning(scope: Scope, trouble: { reason: string; retryAt: Date } | null): Promise<StepResult | null> {
  const { observed, seen, target } = scope;
  const isRunning = seen.state === "running" && seen.generation === observed.observedGeneration && observed.observedState === "online";
  if (!isRunning || observed.observedVersion !== target.version) return null;
  // Once: a restart that waits has its line in the journal, and operators a count of these lines.
  if (trouble !== null && observed.reasonCode !== failedLine.event) {
    const message = say("restartWaits");
    await scope.observe({ reason: message, reasonCode: failedLine.event }, { event: failedLine.event, message, detail: trouble.reason });
    scope.log.error({ workspaceId: scope.workspace.id, detail: trouble.reason }, "a workspace keeps running, but cannot be restarted");
  }
  scope.target = { version: target.version, generation: observed.observedGeneration };
  // Until then, nothing is tried: another look would find the same.
  const untilRetryMs = trouble === null ? 0 : trouble.retryAt.getTime() - scope.clock.now().getTime();
  return { kind: "done", againMs: trouble === null ? progressMs : Math.max(leastRetryMs, untilRetryMs) };
}
