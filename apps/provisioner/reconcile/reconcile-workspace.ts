/**
 * Brings one workspace one pass closer to the desired state: reads everything, runs the ordered steps, and records what it saw. The loop
 * calls it for rows made due by domain/workspaces/desired/request-workspace.ts and similar.
 */
import { executionsToKeepOf } from "#contract/workspaces/kept-executions.ts";
import { say } from "#contract/sentences/say.ts";
import type { JournalEvent } from "#domain/workspaces/journal-events.ts";
import {
  isStillToStart,
  partHeld,
  readHeld,
  writeObservation,
  type HeldWorkspace,
  type Observation,
} from "#domain/workspaces/observed/observation-store.ts";
import { ChangeClosed } from "#domain/workspaces/stories/begin-story.ts";
import { writeJournal } from "#domain/workspaces/workspace-store.ts";
import { workspaceUrl } from "#domain/workspaces/workspace-view.ts";
import { after, minuteMs, secondMs } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";
import { asSpan } from "#platform/tracing/current-work.ts";
import { Stopping } from "./boots.ts";
import { nextLook } from "./next-look.ts";
import { waitOutside, type Place } from "./outside-slot.ts";
import { runSteps } from "./run-steps.ts";
import { LeaseLost, type Reconciler, type Scope, type Step, type StepResult } from "./step.ts";
import { deleteSteps, stopSteps } from "./stop-steps.ts";
import { asPart, beginPass, endsTrace } from "./traced.ts";

/** When to look again if the driver could not read something, for example because of its disk. */
const unseenMs = 10 * secondMs;

/** When to look again; `held` is what was read, so that a later change is noticed. */
interface Pass {
  held: Pick<HeldWorkspace, "id" | "generation" | "updatedAt" | "reconcileAt"> & { endedTrace?: string | null };
  /** Null: only after a change. */
  next: Date | null;
  /** When it is worth looking sooner; as in StepResult. */
  until?: (() => Promise<boolean>) | undefined;
  told?: Promise<void> | undefined;
  /** Another worker should take it next. */
  leaves?: true | undefined;
}

/** One pass over the workspace, which `worker` must hold; null if it no longer does. Its slot is free while it waits for the workspace. */
export async function reconcileWorkspace(
  db: Database,
  reconciler: Reconciler,
  id: string,
  worker: string,
  place: Place,
): Promise<Pass | null> {
  const workspace = await readHeld(db, id, worker);
  if (!workspace) return null;
  const span = beginPass(reconciler, workspace);
  return asSpan({ workspaceId: id }, span, async () => {
    const pass = await passOver(db, reconciler, workspace, worker, place);
    span?.set({ "slipway.result": pass ? (pass.result ?? "again") : "lease-lost" });
    if (pass?.result === "failed") span?.end("failed");
    return pass;
  });
}

async function passOver(
  db: Database,
  reconciler: Reconciler,
  workspace: HeldWorkspace,
  worker: string,
  place: Place,
): Promise<(Pass & { result?: StepResult["kind"] }) | null> {
  const { id, traceparent } = workspace;
  const held: Pass["held"] = workspace;
  const over: Pass["held"] = { ...workspace, endedTrace: traceparent };
  const scope = await openScope(db, reconciler, workspace, worker, place).catch((error: unknown) => {
    reconciler.log.error({ err: error, workspaceId: id }, "a workspace could not be reconciled: its driver could not look at it");
    return null;
  });
  if (!scope) return { held, next: after(reconciler.clock.now(), unseenMs) };
  try {
    const { result, againMs } = await runAll(stepsFor(workspace), scope);
    const next = await conclude(scope, result);
    const isOver = endsTrace(result, { ...scope.observed, updatedAt: workspace.updatedAt }, scope.clock.now());
    return {
      held: isOver ? over : held,
      result: result.kind,
      next: againMs === undefined ? next : earlier(next, after(scope.clock.now(), againMs)),
      ...(result.kind === "wait" && { until: result.until, told: result.told, leaves: result.leaves }),
    };
  } catch (error) {
    if (error instanceof LeaseLost) return null;
    // The change in progress was ended from outside, and nothing remains of the step's last write: look at the desired state now.
    if (error instanceof ChangeClosed) return { held, next: scope.clock.now() };
    if (error instanceof Stopping) return { held, next: scope.clock.now() };
    reconciler.log.error({ err: error, workspaceId: id }, "a reconcile step failed unexpectedly");
    const result: StepResult = {
      kind: "failed",
      event: "fault",
      reason: say("fault"),
      detail: error instanceof Error ? error.message : String(error),
    };
    return { held: over, result: "failed", next: await conclude(scope, result) };
  }
}

function stepsFor(workspace: HeldWorkspace): readonly Step[] {
  if (workspace.desiredState === "running") return runSteps;
  return workspace.desiredState === "stopped" ? stopSteps : deleteSteps;
}

/** Stops at the first step that is not done. `againMs` is the shortest that a step returned. */
async function runAll(steps: readonly Step[], scope: Scope): Promise<{ result: StepResult; againMs: number | undefined }> {
  let againMs: number | undefined;
  for (const step of steps) {
    const result = await asPart(step.name, () => timed(step, scope));
    if (result.kind !== "done") return { result, againMs };
    if (result.againMs !== undefined) againMs = Math.min(againMs ?? Infinity, result.againMs);
  }
  return { result: { kind: "done" }, againMs };
}

/** Called with what is written, before `observed` is changed, because that contains when it began. */
function measure({ metrics, workspace, observed, clock }: Scope, seen: Observation, event: JournalEvent | undefined): void {
  if (!metrics) return;
  const since = (from: Date) => Math.max(0, clock.now().getTime() - from.getTime());
  if (event) metrics.journalled(event);
  // A workspace that only answers again after a silence was not started, and a cold one is started without an entry in its journal.
  const isStarted = seen.observedState === "online" && observed.observedState === "starting";
  if (isStarted && observed.startedAt) metrics.started(since(observed.startedAt));
  if (isStarted && observed.observedVersion === null) metrics.launched(since(workspace.renewedAt ?? workspace.createdAt));
  // The wake of a cold one is a start.
  if (event === "woken" && observed.wakeAskedAt && !observed.coldSince) metrics.woken(since(observed.wakeAskedAt));
}

async function timed(step: Step, scope: Scope): Promise<StepResult> {
  const { metrics } = scope;
  if (!metrics) return step.run(scope);
  const from = performance.now();
  let outcome: StepResult["kind"] | "broke" = "broke";
  try {
    const result = await step.run(scope);
    outcome = result.kind;
    return result;
  } catch (error) {
    if (error instanceof LeaseLost || error instanceof ChangeClosed || error instanceof Stopping) outcome = "wait";
    throw error;
  } finally {
    metrics.stepped(step.name, outcome, performance.now() - from);
  }
}

const earlier = (one: Date | null, other: Date): Date => (one && one < other ? one : other);

async function conclude(scope: Scope, result: StepResult): Promise<Date | null> {
  const { workspace, observed, clock } = scope;
  const now = clock.now();
  if (result.kind === "wait") return after(now, result.afterMs);
  if (result.kind === "done") return workspace.desiredState === "running" ? nextLook(workspace, observed, now) : null;

  const failures = observed.failures + 1;
  const retryAt = result.retryAt ?? after(now, backoffMs(failures));
  const repeated = observed.reason === result.reason;
  const line = !repeated || result.detail ? { event: result.event, message: result.reason, detail: result.detail } : undefined;
  await scope.observe(
    {
      observedState: "offline",
      gatewayOpen: false,
      coldSince: null,
      failures,
      reason: result.reason,
      reasonCode: result.event,
      progressStep: null,
      progressLabel: null,
      progressPercent: null,
    },
    line,
  );
  scope.log.warn(
    { workspaceId: workspace.id, event: result.event, detail: result.detail?.slice(0, 500), retryAt },
    "a workspace is not well",
  );
  return retryAt;
}

/** 2 s, 4 s, 8 s … at most 5 minutes: a temporary fault is over soon, and a permanent one costs little. */
function backoffMs(failures: number): number {
  return Math.min(2 ** failures * secondMs, 5 * minuteMs);
}

async function openScope(db: Database, reconciler: Reconciler, held: HeldWorkspace, worker: string, place: Place): Promise<Scope> {
  const { engine, clock } = reconciler;
  const { desired: workspace, observed } = partHeld(held);
  const beforeStart = async (): Promise<void> => {
    if (!(await isStillToStart(db, workspace.id, workspace.generation, worker))) throw new ChangeClosed(workspace.id);
  };
  const outside = waitOutside(reconciler, place, beforeStart, () => (observed.coldSince ? "wake" : "start"));
  const scope: Scope = {
    ...reconciler,
    ...outside,
    outside: (wait) => place.slot.outside(wait),
    db,
    workspace,
    observed,
    target: { version: workspace.desiredVersion, generation: workspace.generation },
    seen: await outside.driver.observe(workspace.id),
    described: (run) => ({
      id: workspace.id,
      number: workspace.number,
      generation: scope.target.generation,
      run,
      timezone: workspace.timezone,
      executions: {
        keep: executionsToKeepOf(workspace.executionsToKeep, workspace.planFeatures),
        maxAgeHours: workspace.executionsMaxAgeHours,
      },
      memoryMb: workspace.memoryMb,
      ...(workspace.planFeatures && { features: workspace.planFeatures }),
      publicUrl: workspaceUrl(reconciler.publicUrl, workspace.accountName),
      panelUrl: reconciler.publicUrl,
      secrets: reconciler.openSecrets(workspace.secrets),
    }),
    spec: (run) => engine.runSpec(scope.described(run), scope.target.version),
    async observe(seen, line, also) {
      const write = async (connection: Connection) => {
        if (!(await writeObservation(connection, workspace, worker, seen))) throw new LeaseLost(workspace.id);
        if (line) await writeJournal(connection, workspace.id, line, clock.now());
        await also?.(connection);
      };
      await (line || also ? db.transaction(write) : write(db));
      measure(scope, seen, line?.event);
      Object.assign(observed, seen);
    },
    async showProgress(step, label, percent) {
      if (observed.progressStep === step && observed.progressPercent === percent) return;
      await scope.observe({ progressStep: step, progressLabel: label, progressPercent: percent, reason: null, observedState: "starting" });
    },
  };
  return scope;
}
