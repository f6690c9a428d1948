/**
 * Records a workspace's usage, and sends it its owner's plan if it has another one or counts from another figure. Both sides report their
 * state each time and remember nothing in between, so they agree again after either was killed or restored.
 */
import { createHash } from "node:crypto";
import { planForWorkspace, type WorkspacePlan } from "#domain/plans/plan-for-workspace.ts";
import { readGatewayCounts } from "#domain/usage/check-store.ts";
import type { TellOperators } from "#domain/usage/check-usage.ts";
import { recordUsage } from "#domain/usage/record-usage.ts";
import { readEpochs, readPeriod } from "#domain/usage/usage-store.ts";
import { tellOfUsage } from "#domain/usage/tell-of-usage.ts";
import type { EnginePlan, EngineUsage } from "../../../engines/port/engine-usage.ts";
import { hourMs, minuteMs } from "#platform/clock.ts";
import { lookAgainMs } from "../../next-look.ts";
import { answerEditor } from "./answer-editor.ts";
import { done, LeaseLost, type Scope, type Step } from "../../step.ts";

/** Where the owner chooses a plan. */
const changePlanPath = "/account/change-plan";

/** The share of used executions from which on even a quiet workspace is looked at each hour, so that its owner is warned in time. */
const watchedFrom = 0.5;

/**
 * The same for a workspace whose executions are used up: for a quarter of an hour after the last look at it, calls that it refused until
 * more were allowed are distinguished from executions (`limitedMs` in domain/usage/check-usage.ts).
 */
const usedUpLookMs = 10 * minuteMs;

/** Never fails the pass: the workspace works without the update, and a pass a minute later tries again. */
export const passPlan: Step = {
  name: "pass-plan",
  async run(scope) {
    const { db, workspace, engine, clock, log } = scope;
    if (!engine.setPlan && !engine.readUsage) return done;
    try {
      const plan = await planForWorkspace(db, workspace.accountId, clock.now());
      const againMs = plan && (await settle(scope, plan));
      return againMs ? { kind: "done", againMs } : done;
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      log.warn({ err: error, workspaceId: workspace.id }, "plan and usage could not be synchronised with a workspace");
      return { kind: "done", againMs: lookAgainMs };
    }
  },
};

/** Returns the longest time until usage must be settled again; null: only when the workspace is in use. */
async function settle(scope: Scope, plan: WorkspacePlan): Promise<number | null> {
  const { db, workspace, observed, engine, clock, publicUrl, log, metrics } = scope;
  const { usage, isMoving } = engine.readUsage ? await takeUsage(scope, plan) : { usage: undefined, isMoving: false };
  if (usage?.requests?.length) await answer(scope, usage.requests, plan.limits.users);
  const told = usage && (await tellOfUsage({ db, log, clock, panelUrl: publicUrl }, workspace, plan));
  if (told) metrics?.usageTold(told);
  const wanted = await planToTell(scope, plan);
  if (!isKnown(usage, wanted)) await engine.setPlan?.(observed.address!, workspace.id, wanted);
  // Requests may have been left for the next pass.
  if (isMoving || usage?.requests?.length) return lookAgainMs;
  const { executions: limit } = plan.limits;
  const { executions: used } = wanted.counted;
  if (limit < 0 || used < limit * watchedFrom) return null;
  return used < limit ? hourMs : usedUpLookMs;
}

/**
 * Failed requests come again with the next pass, a minute later. They must not keep a workspace from its plan, or its owner from a warning.
 */
async function answer(scope: Scope, requests: NonNullable<EngineUsage["requests"]>, usersLimit: number): Promise<void> {
  try {
    await answerEditor(scope, requests, usersLimit);
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    scope.log.warn({ err: error, workspaceId: scope.workspace.id }, "requests of a workspace's editor could not be answered");
  }
}

/** Counts from elsewhere are read first: an honest workspace has counted all of it by the time it is called. */
async function takeUsage(
  { db, workspace, observed, engine, clock, machineClock, log }: Scope,
  plan: WorkspacePlan,
): Promise<{ usage: EngineUsage; isMoving: boolean }> {
  const gateway = await readGatewayCounts(db, workspace.id);
  const date = dateOf(machineClock.now());
  const asked = await engine.readUsage!(observed.address!, workspace.id).then(
    (usage) => ({ usage }),
    (error: unknown) => ({ error }),
  );
  const told = "usage" in asked && date === dateOf(machineClock.now()) ? asked.usage.statistics : null;
  const tell: TellOperators = ({ workspaceId, ...difference }) =>
    log.error(
      { event: "usage-differs", workspaceId, ...difference },
      "a workspace reports fewer executions than it ran: the larger figure counts",
    );
  const seen = { answered: "usage" in asked, gateway, statistics: told && { ...told, date } };
  // A workspace that does not answer cannot contest what was observed elsewhere.
  const isMoving = await recordUsage(db, workspace, "usage" in asked ? asked.usage : null, {
    periodStarts: plan.periodStarts,
    limit: plan.limits.executions,
    seen,
    tell,
    now: clock.now(),
  });
  if ("error" in asked) throw asked.error;
  return { usage: asked.usage, isMoving };
}

const dateOf = (at: Date): string => at.toISOString().slice(0, 10);

/** A tool that does not report its plan is told each time. */
const isKnown = (usage: EngineUsage | undefined, { fingerprint, counted }: EnginePlan): boolean =>
  usage !== undefined && usage.plan === fingerprint && usage.executions === counted.executions;

async function planToTell({ db, workspace }: Scope, plan: WorkspacePlan): Promise<EnginePlan> {
  const { periodEndsAt: _, ...granted } = plan;
  const told = { ...granted, changePlanPath, isConfirmed: workspace.ownerConfirmed };
  const start = plan.periodStarts[0]!;
  const [period, epochs] = await Promise.all([readPeriod(db, workspace.accountId, start), readEpochs(db, workspace.id, start)]);
  const fingerprint = createHash("sha256").update(JSON.stringify(told)).digest("base64url");
  return { ...told, fingerprint, counted: { executions: period?.executions ?? 0, epochs } };
}
