/** An account without a workspace: a new one, or the deleted one that can come back. */
import { wordsOf } from "../../../words/words-of.ts";

export const noWorkspaceWords = {
  title: "Your workspace can come back",
  text: "Its last backup of {{made}} is kept until {{until}}. Choose a plan by then, and everything is restored from it, at the same URL.",
  failed: "Your last backup has not been restored",
  failedText: "{{reason}} The backup is still there, so nothing is lost. Restoring it replaces what is in the workspace now.",
  again: "Restore backup",
  waits:
    "Nothing is lost: the backup is kept. We have been notified and retry automatically. Restart the workspace to retry now, or restore another backup.",
  noneText:
    "Your account has no workspace. A new one starts empty, at the same URL. The last backup of a deleted workspace is kept for {{backupDays}} days and can be restored into the new one.",
  noneWithoutPlan: "Your account has no workspace. Choose a plan to create a new, empty one, at the same URL.",
  backupsKept: "Backups of a deleted workspace are still available.",
  toBackups: "View backups",
  creating: "Creating…",
  create: "Create a new workspace",
  createFailed: "The workspace could not be created",
} as const;

export const t = wordsOf({ noWorkspace: noWorkspaceWords }, { de: () => import("./words.de.ts") });
