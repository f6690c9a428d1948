/** A fleet update in words for the operator. */
import { inArray } from "drizzle-orm";
import { workspaceUpdates } from "#database/tables.ts";
import {
  countPlanned,
  listPlanned,
  type Candidate,
  type FleetUpdate,
  type PlannedState,
} from "#domain/updates/fleet/fleet-update-store.ts";
import type { Database } from "#platform/database.ts";
import { nameSome } from "../hosts/missing-files.ts";

export const workspacesOf = (count: number): string => (count === 1 ? "1 workspace" : `${count} workspaces`);

/** Reasons and names, one line for each reason. */
export function describeLeftOut(leftOut: readonly { accountName: string; reason: string | null }[]): string[] {
  const byReason = Map.groupBy(leftOut, ({ reason }) => reason ?? "unknown");
  return [...byReason].map(
    ([reason, each]) => `Left out, ${leftOutWords[reason] ?? reason}: ${nameSome(each.map(({ accountName }) => accountName))}.`,
  );
}

const leftOutWords: Readonly<Record<string, string>> = {
  excluded: "excluded by the command",
  suspended: "account suspended",
  stopped: "stopped by its plan",
  "failed-before": "this version failed there before (--only takes it again)",
  newer: "runs a newer version (--allow-downgrade takes it back)",
  "not-possible": "its data cannot be opened by this version",
  offline: "offline for 15 minutes",
  starting: "starting for 15 minutes",
  busy: "another update or a restore was under way for 15 minutes",
  changed: "changed or deleted meanwhile",
  "no-backup": "its backup from before the update is gone",
  "rolled-back-first": "not updated before the rollback",
  "ended-first": "its turn had not come at the end",
  "ended-meanwhile": "its update or rollback was under way at the end, and goes on",
};

export const describeReason = (reason: string | null): string => leftOutWords[reason ?? ""] ?? reason ?? "unknown reason";

const stateWords: Readonly<Record<PlannedState, string>> = {
  waiting: "waiting",
  "left-out": "left out",
  updating: "updating",
  updated: "updated",
  failed: "failed",
  "rolling-back": "being rolled back",
  "rolled-back": "rolled back",
  kept: "staying on the new version",
};

/** All about it. */
export async function describeFleetUpdate(db: Database, update: FleetUpdate): Promise<string[]> {
  const { id, engine, toVersion, startedAt, operator, reason } = update;
  const counts = Map.groupBy(await countPlanned(db, id), ({ wave }) => wave);
  const lines = [
    `Fleet update ${id} to ${engine} ${toVersion}, begun ${startedAt.toISOString()} by ${operator}${reason ? `: ${reason}` : ""}.`,
    describeState(update),
  ];
  for (const [wave, states] of counts) {
    if (wave === 0) continue;
    const byState = Map.groupBy(states, ({ state }) => state);
    const parts = [...byState].map(([state, each]) => `${each.reduce((sum, { times }) => sum + times, 0)} ${stateWords[state]}`);
    lines.push(`  Wave ${wave}: ${parts.join(", ")}.`);
  }
  const told = await listPlanned(db, { id, states: ["left-out", "updating", "updated", "failed", "rolled-back", "kept"] });
  lines.push(...describeLeftOut(told.filter(({ state }) => state === "left-out")).map((line) => `  ${line}`));
  const backups = await backupsOf(db, told);
  for (const each of told) {
    const line = describeWorkspace(each, backups);
    if (line !== null) lines.push(`  ${each.accountName}: ${line}`);
  }
  return lines;
}

function describeState({ state, wave, waves, soakSeconds, soakedMs, stopReason, stoppedAt, stoppedBy, finishedAt }: FleetUpdate): string {
  const because = stopReason ? `: ${stopReason}` : "";
  switch (state) {
    case "running":
      return `Running: wave ${wave} of ${waves}, watched for ${Math.floor(soakedMs / 60_000)} of ${soakSeconds / 60} minutes.`;
    case "stopped":
      return `STOPPED in wave ${wave} of ${waves} at ${stoppedAt!.toISOString()} by ${stoppedBy ?? "its gate"}${because}`;
    case "rolling-back":
      return `Being rolled back since ${stoppedAt!.toISOString()} by ${stoppedBy!}${because}`;
    case "done":
      return `Done at ${finishedAt!.toISOString()}.`;
    case "rolled-back":
      return `Rolled back at ${finishedAt!.toISOString()}, requested by ${stoppedBy!}${because}`;
    case "ended":
      return `Ended at ${finishedAt!.toISOString()} in wave ${wave} of ${waves}${because}`;
  }
}

/** Null: there is nothing to say of it. */
function describeWorkspace(
  { state, reason, trouble, rollBackId, executionsSince, webhookCallsSince, fromVersion }: Candidate,
  backups: ReadonlyMap<string, string>,
): string | null {
  if (state === "failed") return `could not be updated: ${reason ?? "no reason given"}`;
  if (state === "kept" && reason === "ended-meanwhile") return describeReason(reason);
  if (state === "kept") return `stays on the new version: ${describeReason(reason)}`;
  if (state === "rolled-back") {
    const backup = backups.get(rollBackId ?? "");
    return `back on ${fromVersion}; ${sinceWords({ executionsSince, webhookCallsSince })} are only in its backup ${backup ?? "(gone)"}`;
  }
  return trouble === null || state === "left-out" ? null : `${stateWords[state]}, ${troubleWords[trouble]}`;
}

const troubleWords = {
  crashed: "crashed after its update",
  offline: "offline after its update",
  unfinished: "not finished within 15 minutes",
  "fails-more": "more failed executions than before",
} as const;

export const sinceWords = (since: { executionsSince: number | null; webhookCallsSince: number | null }): string =>
  `${since.executionsSince ?? 0} executions and ${since.webhookCallsSince ?? 0} webhook calls since its update`;

/** The backups that rollbacks made of what they replaced, by the id of the rollback. */
async function backupsOf(db: Database, told: readonly Candidate[]): Promise<Map<string, string>> {
  const ids = told.flatMap(({ rollBackId }) => rollBackId ?? []);
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: workspaceUpdates.id, backupId: workspaceUpdates.backupId })
    .from(workspaceUpdates)
    .where(inArray(workspaceUpdates.id, ids));
  return new Map(rows.flatMap(({ id, backupId }) => (backupId ? [[id, backupId] as const] : [])));
}
