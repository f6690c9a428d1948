/**
 * The worker's part of a fleet update: one short transaction after another, each under the lock of its row. What one of them has decided is
 * stored together with what it began, so a worker may be killed at any line, and any number of workers may run this.
 */
import { inArray } from "drizzle-orm";
import { say } from "#contract/sentences/say.ts";
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import { workspaceUpdates } from "#database/tables.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { StoryInTheWay } from "#domain/workspaces/stories/begin-story.ts";
import { isFailureOf } from "#domain/workspaces/stories/stories.ts";
import { secondMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import { requestUpdate, type WantedUpdate } from "../request-update.ts";
import { hasRoom } from "../update-room.ts";
import { newestUpdate, type UpdateRow } from "../update-store.ts";
import { countSince, findStopReason, noteTroubles, readBefore, updatedJournalId } from "./fleet-health.ts";
import {
  addWaited,
  changeFleetUpdate,
  changePlanned,
  listPlanned,
  longestWaitMs,
  lookAtOpenFleetUpdate,
  type Candidate,
  type FleetUpdate,
  type LeftOutReason,
  type PlannedWorkspace,
} from "./fleet-update-store.ts";

/**
 * More than this between two looks was no waiting: no worker ran, or a clock was set. It is longer than the worker's pause between them.
 */
const longestStepMs = 30 * secondMs;

type Tx = Parameters<Parameters<Database["transaction"]>[0]>[0];

/** What a look has done. `again`: there may be more to do now. */
export type Advanced =
  | { kind: "nothing" | "waits" | "again" }
  | { kind: "stopped" | "done" | "rolled-back"; update: FleetUpdate; reason?: string };

interface Look {
  tx: Tx;
  update: FleetUpdate;
  now: Date;
  /** Since the last look, as far as it was time of waiting. */
  passedMs: number;
}

/** Looks at the unfinished fleet update of the engine once: begins at most one change of version, or ends a wave. */
export async function advanceFleetUpdate({ db, clock, engine }: { db: Database; clock: Clock; engine: EngineName }): Promise<Advanced> {
  return db.transaction(async (tx) => {
    const found = await lookAtOpenFleetUpdate(tx, engine);
    if (!found) return { kind: "nothing" };
    const { update, sinceMs } = found;
    const look: Look = { tx, update, now: clock.now(), passedMs: Math.min(Math.max(0, Math.round(sinceMs)), longestStepMs) };
    const underWay = await noteOutcomes(look);
    if (update.state === "running") return runWave(look, underWay);
    if (update.state === "rolling-back") return rollBackNext(look, underWay);
    return { kind: "waits" };
  });
}

/** Notes how changes of version ended. Returns how many have not. */
async function noteOutcomes({ tx, update, now, passedMs }: Look): Promise<number> {
  const open = await listPlanned(tx, { id: update.id, states: ["updating", "rolling-back"] });
  const ids = open.flatMap((each) => idOfChange(each) ?? []);
  const changes = ids.length > 0 ? await tx.select().from(workspaceUpdates).where(inArray(workspaceUpdates.id, ids)) : [];
  const byId = new Map(changes.map((change) => [change.id, change]));
  const hanging: string[] = [];
  for (const planned of open) {
    const { workspaceId, state, waitedMs, trouble, desiredState } = planned;
    const change = byId.get(idOfChange(planned) ?? "");
    // That of a workspace that should stop waits until it runs again.
    if (change && change.finishedAt === null && desiredState === "running") {
      hanging.push(workspaceId);
      if (state === "updating" && trouble === null && waitedMs + passedMs >= longestWaitMs)
        await changePlanned(tx, { id: update.id, states: [state], workspaceId }, { trouble: "unfinished" });
      continue;
    }
    const outcome = state === "updating" ? outcomeOf(change, now) : endOfRollBack(change);
    const journalId = outcome.state === "updated" ? await updatedJournalId(tx, workspaceId) : null;
    await changePlanned(
      tx,
      { id: update.id, states: [state], workspaceId },
      { trouble: null, isAccepted: false, waitedMs: 0, journalId, ...outcome },
    );
  }
  await addWaited(tx, update.id, hanging, passedMs);
  return hanging.length;
}

const idOfChange = ({ state, updateId, rollBackId }: PlannedWorkspace): string | null => (state === "updating" ? updateId : rollBackId);

function outcomeOf(change: UpdateRow | undefined, now: Date): Partial<PlannedWorkspace> {
  if (change?.state === "successful") return { state: "updated", reason: null, updatedAt: now };
  if (change && isFailureOf(change)) return { state: "failed", reason: change.reason };
  return { state: "left-out", reason: (change?.state === "running" ? "stopped" : "changed") satisfies LeftOutReason };
}

function endOfRollBack(change: UpdateRow | undefined): Partial<PlannedWorkspace> {
  if (change?.state === "successful") return { state: "rolled-back", reason: null };
  const reason: LeftOutReason = change?.state === "running" ? "stopped" : "changed";
  return { state: "kept", reason: change?.reason ?? reason };
}

async function runWave(look: Look, underWay: number): Promise<Advanced> {
  const { tx, update, now, passedMs } = look;
  const { areUp } = await noteTroubles(tx, update, now);
  const stopReason = await findStopReason(tx, update);
  if (stopReason !== null) {
    await changeFleetUpdate(tx, update.id, { state: "stopped", stopReason, stoppedAt: now });
    return { kind: "stopped", update, reason: stopReason };
  }
  const waiting = await leaveOutChanged(look, await listPlanned(tx, { id: update.id, states: ["waiting"], wave: update.wave }));
  const rooms = roomsOf(look);
  for (const candidate of waiting.filter((each) => each.isOnline && !each.isBusy)) {
    if (!(await rooms.hasRoom(candidate.host))) continue;
    if (await beginUpdate(look, candidate)) return { kind: "again" };
  }
  if (underWay > 0 || rooms.areFull()) return { kind: "waits" };
  if (waiting.length > 0) return waitForUnready(look, waiting);

  const soakedMs = update.soakedMs + passedMs;
  const updated = await listPlanned(tx, { id: update.id, states: ["updated"], wave: update.wave });
  const isSoaked = updated.length === 0 || (soakedMs >= update.soakSeconds * 1000 && areUp);
  if (!isSoaked) {
    await changeFleetUpdate(tx, update.id, { soakedMs: Math.min(soakedMs, update.soakSeconds * 1000) });
    return { kind: "waits" };
  }
  if (update.wave < update.waves) {
    await changeFleetUpdate(tx, update.id, { wave: update.wave + 1, soakedMs: 0 });
    return { kind: "again" };
  }
  await changeFleetUpdate(tx, update.id, { state: "done", finishedAt: now });
  return { kind: "done", update };
}

/** Which hosts have room for another change of version, each asked once in a look: a full one keeps no other host waiting. */
function roomsOf({ tx, update, now }: Look): { hasRoom(host: string | null): Promise<boolean>; areFull(): boolean } {
  const full = new Set<string | null>();
  return {
    async hasRoom(host) {
      if (!full.has(host) && !(await hasRoom(tx, host, now, update.atOnce))) full.add(host);
      return !full.has(host);
    },
    /** Whether any host that was asked for is full. */
    areFull: () => full.size > 0,
  };
}

/** Leaves out those that have another version or should not run any more; returns the others. */
async function leaveOutChanged({ tx, update }: Look, waiting: readonly Candidate[]): Promise<Candidate[]> {
  const kept: Candidate[] = [];
  for (const candidate of waiting) {
    const reason = reasonOfChange(candidate, candidate.fromVersion);
    if (reason === null) kept.push(candidate);
    else await changePlanned(tx, { id: update.id, states: ["waiting"], workspaceId: candidate.workspaceId }, { state: "left-out", reason });
  }
  return kept;
}

function reasonOfChange({ desiredState, desiredVersion }: Candidate, version: string): LeftOutReason | null {
  if (desiredState === "stopped") return "stopped";
  return desiredState === "running" && desiredVersion === version ? null : "changed";
}

/** The rest of the wave is offline, starting, or being changed: it may become ready. */
async function waitForUnready({ tx, update, passedMs }: Look, waiting: readonly Candidate[]): Promise<Advanced> {
  for (const { workspaceId, waitedMs, isBusy, isStarting } of waiting) {
    if (waitedMs + passedMs < longestWaitMs) continue;
    const reason: LeftOutReason = isBusy ? "busy" : isStarting ? "starting" : "offline";
    await changePlanned(tx, { id: update.id, states: ["waiting"], workspaceId }, { state: "left-out", reason });
  }
  const ids = waiting.map(({ workspaceId }) => workspaceId);
  await addWaited(tx, update.id, ids, passedMs);
  return { kind: "waits" };
}

/** False while another change of the workspace is in the way. */
async function beginUpdate({ tx, update, now }: Look, candidate: Candidate): Promise<boolean> {
  const { workspaceId, accountId, fromVersion } = candidate;
  const { toVersion, operator } = update;
  const before = await readBefore(tx, { id: workspaceId, accountId }, now);
  const change = await requestUnlessBusy(
    tx,
    {
      workspaceId,
      fromVersion,
      toVersion,
      askedBy: "operator",
      line: {
        event: "update-requested",
        message: say("updateRequestedByService", { version: toVersion }),
        detail: `fleet update ${update.id} by ${operator}`,
      },
    },
    now,
  );
  if (change === "busy") return false;
  await changePlanned(
    tx,
    { id: update.id, states: ["waiting"], workspaceId },
    change
      ? { state: "updating", updateId: change.id, waitedMs: 0, ...before }
      : { state: "left-out", reason: "changed" satisfies LeftOutReason },
  );
  if (change)
    await writeAudit(
      tx,
      {
        accountId,
        userId: null,
        action: "workspace.update-asked",
        before: { version: fromVersion },
        after: { version: toVersion, operator },
      },
      now,
    );
  return true;
}

/** Begins the next rollback, or ends the whole. */
async function rollBackNext(look: Look, underWay: number): Promise<Advanced> {
  const { tx, update, now, passedMs } = look;
  const rooms = roomsOf(look);
  let waiting = 0;
  for (const candidate of await listPlanned(tx, { id: update.id, states: ["updated"] })) {
    const { workspaceId, waitedMs, isBusy } = candidate;
    const keep = (reason: LeftOutReason) =>
      changePlanned(tx, { id: update.id, states: ["updated"], workspaceId }, { state: "kept", reason });
    const reason = reasonOfChange(candidate, update.toVersion);
    const newest = reason === null ? await newestUpdate(tx, workspaceId) : null;
    if (reason !== null) await keep(reason);
    else if (isBusy && waitedMs + passedMs < longestWaitMs) {
      waiting += 1;
      await addWaited(tx, update.id, [workspaceId], passedMs);
    } else if (isBusy) await keep("busy");
    // A later change of version, also one that failed: what the backup has is not what was there before that.
    else if (newest?.update.id !== candidate.updateId) await keep("changed");
    else if (newest.update.backupId === null || newest.keptUntil === null) await keep("no-backup");
    else {
      if (!(await rooms.hasRoom(candidate.host))) continue;
      await beginRollBack(look, candidate, newest.update.backupId);
      return { kind: "again" };
    }
  }
  if (waiting + underWay > 0 || rooms.areFull()) return { kind: "waits" };
  await changeFleetUpdate(tx, update.id, { state: "rolled-back", finishedAt: now });
  return { kind: "rolled-back", update };
}

async function beginRollBack({ tx, update, now }: Look, candidate: Candidate, backupId: string): Promise<void> {
  const { workspaceId, accountId, fromVersion } = candidate;
  const { toVersion } = update;
  const operator = update.stoppedBy ?? update.operator;
  const lost = await countSince(tx, candidate, now);
  const change = await requestUnlessBusy(
    tx,
    {
      workspaceId,
      fromVersion: toVersion,
      toVersion: fromVersion,
      askedBy: "operator",
      restoreBackupId: backupId,
      line: {
        event: "roll-back-requested",
        message: say("rollBackRequested", { from: toVersion, to: fromVersion }),
        detail: `fleet update ${update.id} by ${operator}`,
      },
    },
    now,
  );
  if (change === "busy") return;
  await changePlanned(
    tx,
    { id: update.id, states: ["updated"], workspaceId },
    change
      ? { state: "rolling-back", rollBackId: change.id, waitedMs: 0, ...lost }
      : { state: "kept", reason: "no-backup" satisfies LeftOutReason },
  );
  if (change)
    await writeAudit(
      tx,
      {
        accountId,
        userId: null,
        action: "workspace.rolled_back",
        before: { version: toVersion },
        after: { version: fromVersion, backup: backupId, operator },
      },
      now,
    );
}

/** In a savepoint, so that nothing of a refused one stays. */
async function requestUnlessBusy(tx: Tx, wanted: WantedUpdate, now: Date): Promise<UpdateRow | null | "busy"> {
  return tx
    .transaction((inner) => requestUpdate(inner, wanted, now))
    .catch((error: unknown) => {
      if (!(error instanceof StoryInTheWay)) throw error;
      return "busy" as const;
    });
}
