/** Backups, restores and exports as the panel receives them, and answers that keep them. */
import type { Backup, BackupOverview, Restore, WorkspaceExport } from "#contract/workspaces/backup.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { AppError } from "#platform/app-error.ts";
import { newId } from "#platform/ids.ts";
import { usualAnswers, workspaceOf } from "./panel-answers.ts";
import type { PanelPerson } from "./serve-panel.ts";

const dayMs = 86_400_000;
const after = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();

/** Made, verified and restorable, unless specified otherwise. */
export function buildBackup({ createdAt = new Date().toISOString(), ...changes }: Partial<Backup> = {}): Backup {
  return {
    id: newId(),
    kind: "manual",
    state: "successful",
    versionName: "2.40.7",
    createdAt,
    finishedAt: after(createdAt, 2_000),
    verifiedAt: after(createdAt, 1_500),
    keptUntil: after(createdAt, 3 * dayMs),
    size: 48_213,
    workflows: 1,
    credentials: 0,
    executions: 0,
    leftOut: { total: 0, names: [] },
    reason: null,
    isOfThisWorkspace: true,
    isRestorable: true,
    ...changes,
  };
}

/** Ready to be downloaded, unless specified otherwise. */
export function buildExport({ createdAt = new Date().toISOString(), ...changes }: Partial<WorkspaceExport> = {}): WorkspaceExport {
  return {
    id: newId(),
    state: "ready",
    withCredentials: false,
    createdAt,
    finishedAt: after(createdAt, 2_000),
    keptUntil: after(createdAt, 7 * dayMs),
    size: 2_913,
    workflows: 1,
    credentials: null,
    reason: null,
    ...changes,
  };
}

export interface KeptBackups extends Pick<BackupOverview, "backups" | "restore" | "exports"> {
  /** The worker finishes the backup, the restore and the export that were requested. */
  finish(): void;
}

const unmade = { finishedAt: null, size: null, workflows: null, credentials: null } as const;

/** From now on this person has these backups, newest first, and can make, restore and delete them, and export their workflows. */
export function keepBackups(person: PanelPerson, backups: Backup[] = []): KeptBackups {
  const { answers } = person;
  const kept: KeptBackups = {
    backups,
    restore: null,
    exports: [],
    finish() {
      const isOpen = ({ state }: { state: string }): boolean => state === "running";
      kept.backups = kept.backups.map((each) =>
        isOpen(each) ? buildBackup({ id: each.id, kind: each.kind, createdAt: each.createdAt }) : each,
      );
      kept.exports = kept.exports.map((each) => (isOpen(each) ? buildExport({ id: each.id, createdAt: each.createdAt }) : each));
      if (!kept.restore || !isOpen(kept.restore)) return;
      kept.restore = { ...kept.restore, state: "successful", finishedAt: new Date().toISOString(), isInPlace: true };
      person.workspaceIs({ status: instanceStatus.online });
    },
  };
  const begin = (kind: Backup["kind"]): Backup => {
    const started = buildBackup({
      kind,
      state: "running",
      ...unmade,
      executions: null,
      verifiedAt: null,
      keptUntil: null,
      leftOut: null,
      isRestorable: false,
    });
    kept.backups = [started, ...kept.backups];
    return started;
  };
  answers.listBackups = async (asked, state) => {
    const { backups, restore, exports } = kept;
    const isOnline = state.user.account.instance?.status === instanceStatus.online;
    return { ...(await usualAnswers.listBackups!(asked, state)), backups, restore, exports, canExport: isOnline };
  };
  answers.hasBackups = () => {
    if (!kept.backups.some(({ state }) => state === "successful")) throw new AppError("backup_not_found");
  };
  answers.createBackup = () => begin("manual");
  answers.deleteBackup = ({ params: { id } }) => {
    kept.backups = kept.backups.filter((each) => each.id !== id);
  };
  answers.deleteExport = ({ params: { id } }) => {
    kept.exports = kept.exports.filter((each) => each.id !== id);
  };
  answers.exportWorkflows = ({ body: { withCredentials } }) => {
    const started = buildExport({ state: "running", withCredentials, ...unmade });
    kept.exports = [started, ...kept.exports];
    return started;
  };
  answers.restoreBackup = ({ params: { id: backupId } }, state) => {
    workspaceOf(state);
    begin("before-restore");
    const asked: Restore = {
      id: newId(),
      backupId,
      state: "running",
      createdAt: new Date().toISOString(),
      finishedAt: null,
      reason: null,
      isInPlace: false,
    };
    kept.restore = asked;
    person.workspaceIs({ status: instanceStatus.pending });
    return asked;
  };
  return kept;
}
