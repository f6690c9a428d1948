/** How long a workspace may keep sleeping, and what its row contains once it is awake. */
import type { Observation } from "#domain/workspaces/observed/observation-store.ts";
import { mostAheadMs } from "#domain/workspaces/observed/sleep-store.ts";
import { sleepAfterMs, stopAfterMs } from "#domain/plans/sleep-after.ts";
import { hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import type { Engine } from "../../../engines/engine.ts";
import { wait, type Scope, type StepResult } from "../../step.ts";

/** As for the quietest of those awake. Nothing happens in a sleeping workspace, and the end of its process is noticed without a look. */
const asleepLookMs = 6 * hourMs;
/** Less is not worth a stop and a start. It also limits the starts that a workspace can cause by reporting false due times. */
const leastColdMs = hourMs;
/** Workspaces that are due sooner are not stopped. */
export const leastStopMs = ({ start }: Pick<Engine, "start">): number => start.aheadMs + leastColdMs;

/** The columns of a workspace that is awake. */
export const awake: Observation = { asleepSince: null, sleepUntil: null, asleepRevision: null, wakeAskedAt: null };

/** It was used, or its desired state changed, since this pass looked. */
export class StillUsed extends Error {}

/** Nothing to do until something changes, it is due, or it has slept for so long that it is stopped. */
export function restOn(scope: Scope): StepResult {
  return wait(Math.min(asleepLookMs, dueInMs(scope), coldInMs(scope)));
}

/** Until a sleeping workspace must wake for an execution; 0 if it should be awake by now, Infinity if none is due. */
export function dueInMs({ observed, engine, machineClock }: Scope): number {
  if (!observed.sleepUntil) return Infinity;
  // `sleepUntil` is a thaw before the execution: those ten seconds (`wakeAheadMs`) are added.
  const aheadMs = observed.coldSince ? engine.start.aheadMs : 0;
  return Math.max(0, observed.sleepUntil.getTime() - aheadMs - machineClock.now().getTime());
}

/** Until a frozen workspace is stopped, by its plan or because the host needs its memory; Infinity if it is cold, or due too soon. */
export function coldInMs(scope: Scope): number {
  const { workspace, observed, machineClock, driver, engine } = scope;
  const leftMs = observed.sleepUntil ? observed.sleepUntil.getTime() - machineClock.now().getTime() : Infinity;
  if (observed.coldSince || leftMs < leastStopMs(engine)) return Infinity;
  if (driver.shortOf?.()) return 0;
  // After a clock was set back, the length of its sleep is unknown.
  const planMs = stopAfterMs(workspace.planFeatures) - (lastUse(scope) === 0 ? 0 : unusedMs(scope));
  // A stop takes a second of processor time: if there are many at the same time, for example after an outage, they wait until a processor
  // is free.
  return planMs <= 0 && scope.isHostBusy() ? minuteMs : Math.max(0, planMs);
}

/** How long it must be unused before it falls asleep. A host that cannot freeze stops it instead, which its plan allows later. */
export const idleMs = ({ workspace, driver }: Scope): number =>
  driver.freeze
    ? sleepAfterMs(workspace.planFeatures)
    : Math.max(sleepAfterMs(workspace.planFeatures), stopAfterMs(workspace.planFeatures));

/** Whether a due time that is this far ahead makes the kind of sleep that this host offers worthwhile. */
export const isWorthSleep = (leftMs: number, { driver, engine }: Scope): boolean =>
  leftMs >= (driver.freeze ? leastSleepMs : leastStopMs(engine));

/** Less sleep than this saves nothing. */
const leastSleepMs = 5 * minuteMs;

/** Based on what this pass read; the transaction that decides checks again. */
export const unusedMs = (scope: Scope): number => scope.machineClock.now().getTime() - lastUse(scope);

/** As `Date` counts time. A time in the future was recorded before the clock was set back and says nothing; 0: no time is known. */
function lastUse({ workspace, observed, machineClock }: Scope): number {
  const mostMs = machineClock.now().getTime() + mostAheadMs;
  const believed = (at: Date | null): number => (at && at.getTime() <= mostMs ? at.getTime() : 0);
  return Math.max(believed(workspace.usedAt), believed(observed.startedAt));
}

/** A thaw and the pages it reads back take up to 2.4 s from a cold disk; the tool then has time to set its timer. */
export const wakeAheadMs = 10 * secondMs;
