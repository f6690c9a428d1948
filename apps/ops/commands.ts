/** Every command of `npm run ops`, in the order of its help. A new one is a file in `commands` and a line here. */
import type { Command } from "./command.ts";
import { alertTest } from "./commands/alert-test.ts";
import { applyPlans } from "./commands/apply-plans.ts";
import { backupControlPlane } from "./commands/backup-control-plane.ts";
import { close, reopen } from "./commands/close.ts";
import { correctionList } from "./commands/corrections.ts";
import { decideRefund, refundList } from "./commands/refunds.ts";
import { deleteWithoutBackup } from "./commands/delete-without-backup.ts";
import { endSessions } from "./commands/end-sessions.ts";
import { drainHost } from "./commands/hosts/drain-host.ts";
import { hostList } from "./commands/hosts/list-hosts.ts";
import { loginCode } from "./commands/login-code.ts";
import { migrate } from "./commands/migrate.ts";
import { noteDump } from "./commands/note-dump.ts";
import { reconcileCommand } from "./commands/reconcile.ts";
import { resendFailedMails } from "./commands/resend-failed-mails.ts";
import { restoreHost } from "./commands/hosts/restore-host.ts";
import { resendMail } from "./commands/resend-mail.ts";
import { restoreControlPlane } from "./commands/restore-control-plane.ts";
import { restoreWorkspace } from "./commands/restore-workspace.ts";
import { restoreWorkspaces } from "./commands/restore-workspaces.ts";
import { found } from "./commands/found.ts";
import { rotateSecrets } from "./commands/rotate-secrets.ts";
import { sendTestMail } from "./commands/send-test-mail.ts";
import { show } from "./commands/show.ts";
import { resume, suspend } from "./commands/suspend.ts";
import { sqlCommand } from "./commands/sql.ts";
import { setPublisher } from "./commands/set-publisher.ts";
import { erase } from "./commands/erase.ts";
import { firstRestore } from "./commands/first-restore.ts";
import { longerTrial, setPlan, takePlanBack } from "./commands/set-plan.ts";
import { exportDocuments, revenue } from "./commands/export-documents.ts";
import { usageDifferences } from "./commands/usage-differences.ts";
import {
  endFleetUpdate,
  fleetUpdateList,
  resumeFleetUpdate,
  rollBackFleetUpdate,
  stopFleetUpdate,
} from "./commands/fleet/direct-fleet-update.ts";
import { updateFleet } from "./commands/fleet/update-fleet.ts";
import { troubles } from "./commands/troubles.ts";
import { workspace } from "./commands/workspace.ts";

export const commands: readonly Command[] = [
  troubles,
  show,
  workspace,
  loginCode,
  endSessions,
  suspend,
  resume,
  close,
  reopen,
  erase,
  setPublisher,
  resendFailedMails,
  resendMail,
  sendTestMail,
  applyPlans,
  setPlan,
  takePlanBack,
  longerTrial,
  correctionList,
  refundList,
  decideRefund,
  reconcileCommand,
  deleteWithoutBackup,
  restoreWorkspace,
  restoreWorkspaces,
  firstRestore,
  updateFleet,
  fleetUpdateList,
  stopFleetUpdate,
  resumeFleetUpdate,
  endFleetUpdate,
  rollBackFleetUpdate,
  rotateSecrets,
  usageDifferences,
  exportDocuments,
  revenue,
  hostList,
  drainHost,
  restoreHost,
  backupControlPlane,
  restoreControlPlane,
  found,
  noteDump,
  alertTest,
  sqlCommand,
  migrate,
];
