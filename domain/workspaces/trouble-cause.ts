import type { TroubleCause } from "#contract/workspaces/workspace.ts";
import type { JournalEvent } from "./journal-events.ts";
import type { WorkspaceRow } from "./workspace-row.ts";

const causes: Readonly<Partial<Record<JournalEvent, TroubleCause>>> = {
  "out-of-memory": "out-of-memory",
  died: "keeps-stopping",
  "start-delayed": "keeps-stopping",
  unhealthy: "not-answering",
  hung: "not-answering",
  unreachable: "not-answering",
  "disk-read-only": "cannot-save",
  "start-failed": "not-starting",
  "start-timed-out": "not-starting",
  "install-failed": "not-installed",
};

/** Why the workspace has a problem, by the recorded event; undefined for one that is healthy or stopped. */
export function troubleCause({ reasonCode, observedState }: Pick<WorkspaceRow, "reasonCode" | "observedState">): TroubleCause | undefined {
  if (!reasonCode || observedState === "online" || observedState === "stopped" || observedState === "deleted") return undefined;
  return causes[reasonCode as JournalEvent] ?? "other";
}
