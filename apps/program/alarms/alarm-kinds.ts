/** What the program itself raises an alarm about: the eleven worst conditions of docs/metrics.md, and a start that fails; each with what to do. */
export interface AlarmKind {
  /** One line. */
  title: string;
  /** The first thing to do, in a sentence or two. */
  todo: string;
  /** The place in the repository that says the rest. */
  runbook: string;
}

const runbook = (rule: string): string => `docs/runbooks/alerts.md#${rule.toLowerCase()}`;

export const alarmKinds = {
  "database-gone": {
    title: "The database does not answer",
    todo: "Check PostgreSQL and the disk it is on. Visits to running workspaces still work for up to an hour: do not restart Slipway now.",
    runbook: runbook("SlipwayDatabaseSilent"),
  },
  "backups-failing": {
    title: "Backups fail",
    todo: "Check the backup storage first (keys, space, network), then the reasons of the failed backups.",
    runbook: runbook("SlipwayBackupsLate"),
  },
  "mails-given-up": {
    title: "Mails are not delivered",
    todo: "Check the mail server and its account, then run: npm run ops -- resend-failed-mails",
    runbook: runbook("SlipwayMailsGivenUp"),
  },
  "disk-low": {
    title: "A disk runs out of space",
    todo: "Make room or enlarge the disk now: below its floor no workspace is launched, and later data is lost.",
    runbook: runbook("SlipwayDiskRunsOut"),
  },
  "workspace-down": {
    title: "A workspace has not answered for 15 minutes",
    todo: "Run: npm run ops -- workspace NAME. It shows why, with the last events.",
    runbook: runbook("SlipwayWorkspaceDown"),
  },
  "many-workspaces-down": {
    title: "At least one workspace in a hundred is down",
    todo: "Look for one cause: the host's memory or disk, the network, an image, or a release.",
    runbook: runbook("SlipwayWorkspacesDown"),
  },
  "fleet-update-stopped": {
    title: "A fleet update has stopped, because updated workspaces fail, or its rollback hangs",
    todo: "Run: npm run ops -- fleet-updates. It shows which ones. Then resume it, end it, or roll all of it back; a rollback is only ended.",
    runbook: runbook("SlipwayFleetUpdateStopped"),
  },
  "first-restore-waits": {
    title: "A customer who came back has no workspace, because the last backup cannot be restored",
    todo: "Repair the cause, then run: npm run ops -- first-restore NAME",
    runbook: runbook("SlipwayFirstRestoreWaits"),
  },
  "certificate-ends": {
    title: "The panel's certificate ends soon",
    todo: "Look into the log of the proxy that renews it: port 80 and the DNS record must lead to it.",
    runbook: runbook("SlipwayCertificateEnds"),
  },
  "billing-stuck": {
    title: "Events of the payment provider are not handled",
    todo: "Read the errors of the events, and compare billing: npm run ops -- reconcile --dry-run",
    runbook: runbook("SlipwayBillingEventsStuck"),
  },
  "worker-silent": {
    title: "A worker, or one of its loops, has stopped",
    todo: "Check whether the process runs, read its log, and restart it: workspaces keep running meanwhile.",
    runbook: runbook("SlipwayHostSilent"),
  },
  "cannot-start": {
    title: "Slipway cannot start",
    todo: "Read the last lines of its log, and start it again once the cause is repaired. Workspaces may still run, but nobody reaches them.",
    runbook: runbook("SlipwayDown"),
  },
} as const satisfies Record<string, AlarmKind>;

export type AlarmKindName = keyof typeof alarmKinds;
