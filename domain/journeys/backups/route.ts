/** The calls of the Backups and Export pages: backups, restores, exports and their files. */
import { routes } from "#contract/routes.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { markFirstDays } from "#domain/accounts/onboarding-store.ts";
import { findBackup, hasBackups, listBackups, readBackupDays } from "#domain/backups/backup-store.ts";
import { nextNightlyAt } from "#domain/backups/nightly-schedule.ts";
import { readNightlyTurn } from "#domain/backups/nightly-store.ts";
import { newestRestore } from "#domain/backups/restores/restore-store.ts";
import { findExport, holdReadyExport, listExports } from "#domain/exports/export-store.ts";
import { workspaceStatus } from "#domain/workspaces/workspace-status.ts";
import { AppError } from "#platform/app-error.ts";
import type { Connection } from "#platform/database.ts";
import { checkPassword } from "../signed-in/password-guards.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Mount, Services } from "../services.ts";
import { askForBackup } from "./ask-for-backup.ts";
import { askForExport } from "./ask-for-export.ts";
import { backupView, exportView, markOf, readMark, restoreView } from "./backup-view.ts";
import { deleteOwnBackup } from "./delete-backup.ts";
import { deleteOwnExport } from "./delete-export.ts";
import { checkDownload, makeDownloadLink, openDownload } from "./download-file.ts";
import { restoreWorkspace } from "./restore-workspace.ts";

/** More than a month of nights; older ones are on the next page. */
export const backupsPerPage = 60;
const mostExports = 10;

const isOnline = ({ workspace }: CurrentUser): boolean => workspace?.desiredState === "running" && workspace.observedState === "online";
/** There is a file, and it is not being removed. */
const canBackUp = ({ workspace }: CurrentUser): boolean =>
  workspace !== null && workspace.desiredState !== "deleted" && workspace.observedVersion !== null;

export function backupRoutes(mount: Mount, services: Services): void {
  const { db } = services;

  mount(routes.hasBackups, async ({ signedIn }) => {
    if (!(await hasBackups(db, signedIn.accountId))) throw new AppError("backup_not_found");
  });

  mount(routes.listBackups, async ({ signedIn, query: { before } }) => {
    const { accountId, workspace } = signedIn;
    const [rows, made, keptDays, restore, nightly] = await Promise.all([
      // One more than shown, to know whether there is an older page.
      listBackups(db, accountId, backupsPerPage + 1, before === undefined ? undefined : readMark(before)),
      listExports(db, accountId, services.clock.now(), mostExports),
      readBackupDays(db, accountId),
      workspace ? newestRestore(db, workspace.id) : null,
      workspace ? readNightlyTurn(db, workspace.id, services.clock.now()) : null,
    ]);
    const shown = rows.slice(0, backupsPerPage);
    // While a change or a restore is under way, the panel asks which of them it is, and the owner need not have seen the list.
    const isPanelAsking = (restore && restore.finishedAt === null) || (workspace && workspaceStatus(workspace) === instanceStatus.pending);
    if (rows.some(({ state }) => state === "successful") && !isPanelAsking)
      await markFirstDays(db, accountId, ["backup"], services.clock.now());
    return {
      backups: shown.map((row) => backupView(row, workspace)),
      next: rows.length > backupsPerPage ? markOf(shown.at(-1)!) : null,
      restore: restore && restoreView(restore),
      exports: made.map(exportView),
      keptDays,
      nextNightlyAt: nightly && nextNightlyAt(nightly, services.clock.now()).toISOString(),
      canBackUp: canBackUp(signedIn),
      hasExports: services.workspace.hasExports,
      canExport: services.workspace.hasExports && isOnline(signedIn),
      canRestore: workspace?.desiredState === "running" && services.instanceOperations,
    };
  });

  mount(routes.createBackup, async ({ signedIn, address }) => {
    const { workspace } = signedIn;
    if (!workspace) throw new AppError("workspace_not_found");
    if (!canBackUp(signedIn)) throw new AppError("workspace_not_online");
    return backupView(await askForBackup(services, signedIn, workspace, address), workspace);
  });

  mount(routes.backupDownloadLink, async ({ signedIn, params, body, address }) => {
    const row = await findBackup(db, signedIn.accountId, params.id);
    if (!row) throw new AppError("backup_not_found");
    if (row.state !== "successful") throw new AppError("backup_not_usable");
    const { hold } = await checkPassword(services, signedIn, body.password, "password");
    return { url: await makeDownloadLink(services, signedIn, { kind: "backup", id: row.id, address, hold }) };
  });

  mount(routes.exportDownloadLink, async ({ signedIn, params, address }) => {
    const row = await findExport(db, signedIn.accountId, params.id, services.clock.now());
    if (row?.state !== "ready") throw new AppError("export_not_found");
    const hold = async (tx: Connection) => {
      await lockPerson(tx, signedIn);
      if (!(await holdReadyExport(tx, row.id, services.clock.now()))) throw new AppError("export_not_found");
    };
    return { url: await makeDownloadLink(services, signedIn, { kind: "export", id: row.id, address, hold }) };
  });

  mount(
    routes.downloadFile,
    async ({ signedIn, params, address, reply }) => {
      const { fileName, type, content } = await openDownload(services, signedIn, params.token, address);
      await reply
        .header("content-disposition", `attachment; filename="${fileName}"`)
        .header("cache-control", "no-store")
        .type(type)
        .send(content);
    },
    {
      refusedAt: ({ of }) => (of === "export" ? "/manage/export" : "/manage/backups"),
      head: ({ signedIn, params }) => checkDownload(services, signedIn, params.token),
    },
  );

  mount(routes.restoreBackup, async ({ signedIn, params, body, address }) =>
    restoreView(await restoreWorkspace(services, signedIn, { id: params.id, ...body, address })),
  );

  mount(routes.deleteBackup, async ({ signedIn, params, address }) => deleteOwnBackup(services, signedIn, params.id, address));

  mount(routes.deleteExport, async ({ signedIn, params, address }) => deleteOwnExport(services, signedIn, params.id, address));

  mount(routes.exportWorkflows, async ({ signedIn, body, address }) => exportView(await askForExport(services, signedIn, body, address)));
}
