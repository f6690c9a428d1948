/** The steps that bring a workspace to life, in order. Each looks at the world, not at what an earlier pass remembers. */
import { isStillWanted } from "#domain/workspaces/observed/observation-store.ts";
import { after } from "#platform/clock.ts";
import { DriverFailure } from "../../drivers/driver.ts";
import { describeDeath } from "./describe-death.ts";
import { inviteMembers } from "./invite-members.ts";
import { closeAndLetFinish } from "./let-finish.ts";
import { ownerText, passOwner } from "./pass-owner.ts";
import { passPlan } from "./pass-plan.ts";
import { passProfile } from "./pass-profile.ts";
import { finishUpdate, rollBackUninstalled, updateVersion } from "../../updates/update-version.ts";
import { finishRestore, restoreBackup } from "./restore-backup.ts";
import { done, wait, type JournalLine, type Scope, type Step, type StepResult } from "../step.ts";

/** Share of a whole launch at which each step begins, in percent: an install takes minutes, the rest seconds. */
const begins = { install: 0, prepare: 60, start: 63, ready: 65, owner: 95, gateway: 97 } as const;

/** How often a launch shows how far it is; what it waits for is noticed sooner. */
const installPollMs = 1000;
const progressMs = 1000;

const installEngine: Step = {
  name: "install-engine",
  async run(scope) {
    const { workspace, engine } = scope;
    const install = await scope.installs.request(workspace.desiredVersion);
    if (install.state === "installed") return done;
    if (install.state === "failed") {
      const rolledBack = await rollBackUninstalled(scope);
      if (rolledBack) return rolledBack;
      return {
        kind: "failed",
        event: "install-failed",
        reason: "The engine could not be installed. We try again by ourselves.",
        detail: install.reason,
        retryAt: install.retryAt,
      };
    }
    const percent = begins.install + Math.floor((install.percent * begins.prepare) / 100);
    await scope.showProgress("install-engine", `Installing ${engine.displayName} ${workspace.desiredVersion}`, percent);
    return wait(installPollMs, async () => (await scope.installs.request(workspace.desiredVersion)).state !== "installing");
  },
};

/** A process that ended by itself is told apart from one that was never started: it had an address. */
const noticeDeath: Step = {
  name: "notice-death",
  async run({ workspace, seen, driver, observe }) {
    if (seen.state === "running" || !workspace.address) return done;
    const logs = await driver.logs(workspace.id, 4000);
    const { event, message, repeated, how } = describeDeath(seen.exit, logs);
    const isFirst = workspace.failures === 0;
    await observe(
      { address: null, gatewayOpen: false, startedAt: null, reasonCode: event, ...(isFirst && { failures: 1, observedState: "starting" }) },
      { event, message, detail: `${how}\n${logs}` },
    );
    // The first death in a row is answered at once: webhooks wait at the gateway meanwhile.
    if (isFirst) return done;
    return { kind: "failed", ...repeated };
  },
};

const start: Step = {
  name: "start",
  async run(scope) {
    const { workspace, seen, engine, driver } = scope;
    // Compared by generation, not by spec: a new release of this program must not restart everybody's workspace.
    if (seen.state === "running" && seen.generation === workspace.generation && seen.address)
      return adopt(scope, seen.address, seen.startedAt);
    const isFirst = workspace.observedVersion === null;
    await scope.showProgress("prepare", isFirst ? "Preparing your workspace's own folder and keys" : "Preparing the start", begins.prepare);
    // Without the old start's time: the new process has the whole of its own to become ready. Without an address: its end is no death.
    await closeAndLetFinish(scope, () =>
      scope.observe({ address: null, gatewayOpen: false, unhealthySince: null, startedAt: null, runningMemoryMb: workspace.memoryMb }),
    );
    try {
      const running = await driver.ensure(scope.spec(true));
      if (running.state !== "running" || !running.address) return await startFailed(scope, "The process ended as soon as it was started.");
      await scope.showProgress("start", `Starting ${engine.displayName} ${workspace.desiredVersion}`, begins.start);
      const line = { event: "started", message: `${engine.displayName} ${workspace.desiredVersion} was started.` };
      return await adopt(scope, running.address, running.startedAt, line);
    } catch (error) {
      if (!(error instanceof DriverFailure)) throw error;
      return await startFailed(scope, error.message);
    }
  },
};

/** Takes a running process as the workspace's own, whoever started it. */
async function adopt(
  { workspace, observe, clock }: Scope,
  address: string,
  startedAt: Date | undefined,
  line?: JournalLine,
): Promise<StepResult> {
  if (workspace.address === address && workspace.startedAt) return done;
  await observe(
    { address, startedAt: startedAt ?? clock.now(), unhealthySince: null, gatewayOpen: false, observedState: "starting" },
    line,
  );
  return done;
}

async function startFailed(scope: Scope, detail: string): Promise<StepResult> {
  return {
    kind: "failed",
    event: "start-failed",
    reason: "The workspace could not be started. We try again by ourselves.",
    detail: `${detail}\n${await scope.driver.logs(scope.workspace.id, 4000)}`,
  };
}

/** Its process lives and can save nothing any more. Its next start repairs the disk, if the host has room again. */
const noticeReadOnly: Step = {
  name: "notice-read-only",
  async run(scope) {
    if (!scope.seen.readOnly || scope.seen.generation !== scope.workspace.generation) return done;
    return giveUpOn(
      scope,
      "disk-read-only",
      "The workspace could not save anything any more. We check its disk and start it again.",
      "its disk takes no more writes, after an error or a full disk of the host",
    );
  },
};

const waitUntilReady: Step = {
  name: "wait-until-ready",
  async run(scope) {
    const { workspace, engine, clock } = scope;
    const health = await engine.health(workspace.address!);
    if (health.ready) {
      scope.driver.endStart?.(workspace.id);
      if (workspace.unhealthySince) await scope.observe({ unhealthySince: null });
      return done;
    }
    if (workspace.observedState === "online" || workspace.unhealthySince) return stoppedAnswering(scope, health.detail);

    // A clock that was set back: its time begins now, not hours from now.
    if (workspace.startedAt && workspace.startedAt > clock.now()) await scope.observe({ startedAt: clock.now() });
    const elapsedMs = clock.now().getTime() - (workspace.startedAt ?? clock.now()).getTime();
    if (elapsedMs > scope.readyTimeoutMs) {
      return giveUpOn(
        scope,
        "start-timed-out",
        "The workspace was started but did not answer in time. We try again by ourselves.",
        health.detail,
      );
    }
    // Half of what is left every 4 s: it never stands still and never claims to be done.
    const share = 1 - 0.5 ** (Math.max(0, elapsedMs) / 4000);
    await scope.showProgress(
      "wait-until-ready",
      `Waiting for ${engine.displayName} to answer`,
      begins.ready + Math.floor(share * (begins.owner - begins.ready)),
    );
    return wait(progressMs, async () => (await engine.health(workspace.address!)).ready);
  },
};

/** A busy workspace may miss a check; one that answers nothing for a minute hangs. */
const unhealthy = { offlineAfterMs: 10_000, restartAfterMs: 60_000 } as const;

async function stoppedAnswering(scope: Scope, detail: string | undefined): Promise<StepResult> {
  const { workspace, clock } = scope;
  const now = clock.now();
  if (!workspace.unhealthySince) {
    await scope.observe({ unhealthySince: now }, { event: "unhealthy", message: "The workspace stopped answering.", detail });
  }
  if (workspace.unhealthySince! > now) await scope.observe({ unhealthySince: now });
  const forMs = now.getTime() - workspace.unhealthySince!.getTime();
  if (forMs > unhealthy.restartAfterMs)
    return giveUpOn(scope, "hung", "The workspace did not answer for a minute. We start it again.", detail);
  if (forMs > unhealthy.offlineAfterMs && workspace.observedState === "online") {
    await scope.observe({
      observedState: "offline",
      reasonCode: "unhealthy",
      reason: "The workspace does not answer. We start it again if it stays so.",
    });
  }
  return wait(1000);
}

/** Stops a process that does not do its work, keeping its logs in the journal. */
async function giveUpOn(scope: Scope, event: string, reason: string, detail: string | undefined): Promise<StepResult> {
  const logs = await scope.driver.logs(scope.workspace.id, 4000);
  // First forgotten and then ended: the end of what has an address is a death, and answered at once.
  await scope.observe({ address: null, startedAt: null, unhealthySince: null, gatewayOpen: false });
  await scope.driver.ensure(scope.spec(false));
  return { kind: "failed", event, reason, detail: `${detail ?? "no answer"}\n${logs}` };
}

const setUpOwner: Step = {
  name: "set-up-owner",
  async run(scope) {
    const { workspace, engine } = scope;
    if (workspace.ownerSetUpAt) return done;
    await scope.showProgress("set-up-owner", "Making you the owner", begins.owner);
    await engine.setUpOwner(workspace.address!, workspace.id, { email: workspace.ownerEmail, fullName: workspace.ownerFullName });
    await scope.observe({ ownerSetUpAt: scope.clock.now(), ownerPassed: ownerText(workspace) });
    return done;
  },
};

/** Only now may anybody in: before it has an owner, the first visitor could make themselves one. */
const openGateway: Step = {
  name: "open-gateway",
  async run(scope) {
    const { workspace, engine } = scope;
    if (!workspace.gatewayOpen) {
      await scope.showProgress("open-gateway", "Opening your address", begins.gateway);
      await scope.observe({ gatewayOpen: true });
    }
    if (await scope.probeThroughGateway(workspace.accountName, engine.healthPath)) return done;
    const waitedMs = scope.clock.now().getTime() - (workspace.startedAt ?? scope.clock.now()).getTime();
    if (waitedMs < scope.readyTimeoutMs) return wait(progressMs, () => scope.probeThroughGateway(workspace.accountName, engine.healthPath));
    // A gateway closes the door as soon as a stop or a restart is wanted, which may be after this pass began.
    if (!(await isStillWanted(scope.db, workspace))) return wait(0);
    return {
      kind: "failed",
      event: "unreachable",
      reason: "The workspace runs but cannot be reached at its address. We try again by ourselves.",
    };
  },
};

/** Ten minutes without a fault, and the next one counts as the first again. */
const forgiveAfterMs = 10 * 60_000;

const markOnline: Step = {
  name: "mark-online",
  async run(scope) {
    const { workspace, clock } = scope;
    const settled =
      workspace.observedState === "online" &&
      workspace.observedGeneration === workspace.generation &&
      workspace.observedVersion === workspace.desiredVersion;
    if (!settled) {
      const { generation: observedGeneration, desiredVersion: observedVersion } = workspace;
      await scope.observe(
        {
          observedState: "online",
          observedGeneration,
          observedVersion,
          progressStep: null,
          progressLabel: null,
          progressPercent: null,
          reason: null,
          reasonCode: null,
        },
        { event: "online", message: "Your workspace is now online." },
      );
    }
    const upSince = workspace.startedAt;
    if (workspace.failures > 0 && upSince && after(upSince, forgiveAfterMs) < clock.now()) await scope.observe({ failures: 0 });
    return done;
  },
};

export const runSteps: readonly Step[] = [
  installEngine,
  updateVersion,
  restoreBackup,
  noticeDeath,
  noticeReadOnly,
  start,
  waitUntilReady,
  setUpOwner,
  passOwner,
  passPlan,
  openGateway,
  markOnline,
  finishUpdate,
  finishRestore,
  passProfile,
  inviteMembers,
];
