/** Turns the changes of version into what the history shows: which version ran from when to when, and which attempts came to nothing. */
import type { RouteAnswer } from "#contract/api/route.ts";
import type { WorkspaceUpdate } from "#contract/workspaces/update.ts";
import type { Routes } from "../../../lib/api/calls.ts";

export type HistoryPage = RouteAnswer<Routes["getVersionHistory"]>;

export interface Ran {
  kind: "ran";
  version: string;
  from: string;
  /** Null: it is the current one. */
  until: string | null;
  how: "launch" | "roll-back" | WorkspaceUpdate["askedBy"];
  /** The owner left it for the version before. */
  wasRolledBack: boolean;
}

export interface Tried {
  kind: "tried";
  version: string;
  /** The version that stayed. */
  from: string;
  at: string;
  state: "running" | "rolled-back" | "failed";
  how: "roll-back" | WorkspaceUpdate["askedBy"];
  reason: string | null;
}

export type HistoryEntry = Ran | Tried;

/** Newest first; the pages follow each other without gaps. */
export function historyEntries(pages: readonly HistoryPage[]): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  let until: string | null = null;
  let wasRolledBack = false;
  for (const update of pages.flatMap(({ updates }) => updates)) {
    const { toVersion: version, fromVersion, state, reason, startedAt, finishedAt } = update;
    const how = update.isRollBack ? "roll-back" : update.askedBy;
    if (state === "successful") {
      const from: string = finishedAt ?? startedAt;
      entries.push({ kind: "ran", version, from, until, how, wasRolledBack });
      until = from;
      wasRolledBack = update.isRollBack;
    } else {
      entries.push({ kind: "tried", version, from: fromVersion, at: finishedAt ?? startedAt, state, how, reason });
    }
  }
  const launch = pages.at(-1)?.launch;
  if (launch) entries.push({ kind: "ran", version: launch.version, from: launch.at, until, how: "launch", wasRolledBack });
  return entries;
}
