/** The events of a workspace, for the marks on its time axis. */
import type { MonitoringMark } from "#contract/workspaces/monitoring/monitoring.ts";
import { listMadeBetween } from "#domain/backups/backup-store.ts";
import type { JournalEvent } from "#domain/workspaces/journal-events.ts";
import { readJournal } from "#domain/workspaces/workspace-store.ts";
import type { Connection } from "#platform/database.ts";

/** A start is marked by its cause: each crash, change of settings or version has its own mark. */
const kinds: Partial<Record<JournalEvent, MonitoringMark["kind"]>> = {
  died: "stop",
  evicted: "restart",
  "out-of-memory": "stop",
  hung: "stop",
  "start-failed": "stop",
  "no-room": "stop",
  "no-image": "stop",
  "no-place": "stop",
  "start-timed-out": "stop",
  "disk-read-only": "stop",
  "restart-requested": "restart",
  "plan-restart": "restart",
  "variables-changed": "restart",
  restored: "restart",
  updated: "version",
  "update-rolled-back": "version",
  "rolled-back": "version",
};

/** More could not be told apart on the chart. */
const mostEvents = 200;
const mostBackups = 100;

/** The marks between two moments, oldest first: after a clock was set back, later ones are known too. */
export async function readMarks(
  db: Connection,
  { id, accountId }: { id: string; accountId: string },
  { from, to }: { from: Date; to: Date },
): Promise<MonitoringMark[]> {
  const lines = await readJournal(db, id, { most: mostEvents, events: Object.keys(kinds) });
  const backups = await listMadeBetween(db, { workspaceId: id, accountId }, { from, to }, mostBackups);
  const marks = [
    ...lines
      .filter(({ at }) => at >= from && at <= to)
      .map(({ at, event, message }): MonitoringMark => ({ at: at.toISOString(), kind: kinds[event as JournalEvent]!, message })),
    ...backups.map((at): MonitoringMark => ({ at: at.toISOString(), kind: "backup", message: null })),
  ];
  return marks.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
