/** Backups of the workspace, restoring one, and exports. */
import { z } from "zod";
import * as fields from "../api/fields.ts";
import { defineRoute } from "../api/route.ts";
import { workspaceLife } from "./workspace.ts";

export const backupKinds = ["manual", "nightly", "before-update", "before-restore", "before-move", "before-deletion"] as const;

/** Files of a workspace that its backup does not include. */
export const leftOut = z
  .object({
    total: z.number().int(),
    names: z
      .array(z.object({ name: z.string(), why: z.enum(["link", "special", "name", "unreadable"]) }))
      .meta({ description: "the first of the names" }),
  })
  .meta({ id: "LeftOut" });
export type LeftOut = z.infer<typeof leftOut>;

export const backup = z
  .object({
    id: z.string(),
    kind: z.enum(backupKinds),
    state: z
      .enum(["waiting", "running", "successful", "failed"])
      .meta({ description: "`successful`: it was decrypted, opened and verified" }),
    versionName: z.string().meta({ description: "of the engine" }),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
    verifiedAt: z.iso.datetime().nullable(),
    keptUntil: z.iso.datetime().nullable(),
    size: z.number().int().nullable().meta({ description: "bytes, as stored" }),
    workflows: z.number().int().nullable(),
    credentials: z.number().int().nullable(),
    executions: z.number().int().nullable(),
    leftOut: leftOut.nullable().meta({ description: "files of the workspace that the backup does not include; null: not recorded" }),
    reason: z.string().nullable().meta({ description: "why it failed or is being retried" }),
    isOfThisWorkspace: z.boolean().meta({ description: "false: the backup is from a deleted workspace" }),
    isRestorable: z.boolean().meta({ description: "whether it can be restored into the current workspace" }),
  })
  .meta({ id: "Backup" });
export type Backup = z.infer<typeof backup>;

export const restore = z
  .object({
    id: z.string(),
    backupId: z.string(),
    state: z.enum(["waiting", "running", "successful", "failed"]),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
    reason: z.string().nullable(),
    isInPlace: z.boolean().meta({ description: "the workspace has the backup's files, even if it does not start with them" }),
  })
  .meta({ id: "Restore" });
export type Restore = z.infer<typeof restore>;

/** How long a finished export can be downloaded: long enough to come back to after a week away. */
export const exportDays = 7;
/** How long a link to download a file works: long enough for a browser to begin, short enough to be worthless in a history. */
export const downloadLinkMinutes = 5;

export const workspaceExport = z
  .object({
    id: z.string(),
    state: z.enum(["waiting", "running", "ready", "failed"]),
    withCredentials: z.boolean(),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
    keptUntil: z.iso.datetime(),
    size: z.number().int().nullable(),
    workflows: z.number().int().nullable().meta({ description: "while it is running: so far" }),
    credentials: z.number().int().nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: "WorkspaceExport" });
export type WorkspaceExport = z.infer<typeof workspaceExport>;

export const backupOverview = z
  .object({
    backups: z.array(backup).meta({ description: "newest first" }),
    next: z.string().nullable().meta({ description: "`before` of the page with older backups; null: there are none" }),
    restore: restore.nullable().meta({ description: "the newest" }),
    exports: z.array(workspaceExport).meta({ description: "newest first" }),
    keptDays: z.number().int().meta({ description: "how long the plan keeps nightly and manual backups" }),
    nextNightlyAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "when the next nightly backup is due, by the workspace's schedule; null: none while it is not online" }),
    hasExports: z.boolean().meta({ description: "false if the engine cannot export files" }),
    canBackUp: z.boolean(),
    canExport: z.boolean().meta({ description: "an export is written by the running workspace" }),
    canRestore: z.boolean(),
  })
  .meta({ id: "BackupOverview" });
export type BackupOverview = z.infer<typeof backupOverview>;

const tag = "Export";
/** Milliseconds since 1970 and an id: where a page of backups ended, valid even after that backup is deleted. */
const backupMark = z.string().regex(/^\d{13}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "value.invalid");
const byId = z.object({ id: z.uuid() });

export const hasBackups = defineRoute({
  method: "HEAD",
  path: "/export/has-backups",
  tag,
  summary: "Whether there is a successful backup: 200 or 404",
  auth: "session",
  success: { status: 200, body: null },
  problems: ["backup_not_found"],
});

export const listBackups = defineRoute({
  method: "GET",
  path: "/export",
  tag,
  summary: "Backups by page, the newest restore, exports, and the actions available now",
  auth: "session",
  query: z.object({ before: backupMark.optional().meta({ description: "`next` of the previous page" }) }),
  success: { status: 200, body: backupOverview },
  problems: [],
});

export const createBackup = defineRoute({
  method: "POST",
  path: "/export/backups",
  tag,
  summary: "Back up the workspace now; returns the running backup if there is one",
  auth: "session",
  success: { status: 202, body: backup },
  problems: ["workspace_not_found", "workspace_not_online", "too_many_backups"],
});

export const backupDownloadLink = defineRoute({
  method: "POST",
  path: "/export/backups/:id/download",
  tag,
  summary: "A one-time address for the backup, valid for five minutes; requires the password",
  auth: "session",
  params: byId,
  body: z.object({ password: fields.typedPassword }),
  success: { status: 200, body: z.object({ url: z.string() }) },
  problems: ["backup_not_found", "backup_not_usable", "wrong_password", "too_many_sign_ins"],
});

export const exportDownloadLink = defineRoute({
  method: "POST",
  path: "/export/exports/:id/download",
  tag,
  summary: "A one-time address for the export, valid for five minutes",
  auth: "session",
  params: byId,
  success: { status: 200, body: z.object({ url: z.string() }) },
  problems: ["export_not_found", "password_needed"],
});

export const downloadFile = defineRoute({
  method: "GET",
  path: "/export/download/:token",
  tag,
  summary: "The file behind a download link: gzip or zip, streamed",
  auth: "session",
  params: z.object({ token: z.string().min(20).max(100) }),
  query: z.object({
    of: z.enum(["backup", "export"]).optional().meta({ description: "which page a browser is shown if the link is refused" }),
  }),
  success: { status: 200, body: null },
  writes: "change",
  problems: ["download_link_invalid"],
});

export const restoreBackup = defineRoute({
  method: "POST",
  path: "/export/backups/:id/restore",
  tag,
  summary:
    "Replace everything in the workspace with the backup; the current state is backed up first. Confirmed by the account's name and a recently entered password",
  auth: "session",
  params: byId,
  body: z.object({ accountName: z.string("value.invalid").max(100, "value.invalid"), life: workspaceLife.optional() }),
  success: { status: 202, body: restore },
  problems: [
    "backup_not_found",
    "backup_not_usable",
    "backup_newer",
    "restore_under_way",
    "update_under_way",
    "workspace_not_found",
    "workspace_replaced",
    "workspace_not_online",
    "password_needed",
    "instance_operations_off",
  ],
});

export const deleteBackup = defineRoute({
  method: "DELETE",
  path: "/export/backups/:id",
  tag,
  summary: "Permanently delete a backup; requires a recently entered password",
  auth: "session",
  params: byId,
  success: { status: 204, body: null },
  problems: ["backup_not_found", "backup_not_usable", "backup_needed", "password_needed"],
});

export const deleteExport = defineRoute({
  method: "DELETE",
  path: "/export/exports/:id",
  tag,
  summary: "Permanently delete an export that is no longer being made",
  auth: "session",
  params: byId,
  success: { status: 204, body: null },
  problems: ["export_not_found", "export_not_finished", "password_needed"],
});

export const exportWorkflows = defineRoute({
  method: "POST",
  path: "/export/workflows",
  tag,
  summary:
    "Export the workflows as files and, on request, the credentials, encrypted with a passphrase; an email follows. Credentials require the password",
  auth: "session",
  body: z.union([
    z.object({ withCredentials: z.literal(false) }),
    z.object({ withCredentials: z.literal(true), passphrase: fields.passphrase, password: fields.typedPassword }),
  ]),
  success: { status: 202, body: workspaceExport },
  problems: ["workspace_not_found", "workspace_not_online", "export_under_way", "too_many_exports", "wrong_password", "too_many_sign_ins"],
});
