/** The last change of the workspace's version, and its rollback. */
import { z } from "zod";
import type { FieldCode } from "../api/field-words.ts";
import * as fields from "../api/fields.ts";
import { defineRoute } from "../api/route.ts";
import { instance, workspaceLife } from "./workspace.ts";

const says = (code: FieldCode): FieldCode => code;

export const workspaceUpdate = z
  .object({
    fromVersion: z.string(),
    toVersion: z.string(),
    askedBy: z.enum(["owner", "window", "operator"]).meta({ description: "`window`: automatic, in the maintenance window" }),
    state: z
      .enum(["running", "successful", "rolled-back", "failed"])
      .meta({ description: "`rolled-back`: the new version did not start, and everything is as it was" }),
    isRollBack: z.boolean().meta({ description: "the owner rolled back" }),
    reason: z.string().nullable(),
    startedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
    canRollBackUntil: z.iso.datetime().nullable().meta({ description: "until the backup made before the update expires" }),
  })
  .meta({ id: "WorkspaceUpdate" });
export type WorkspaceUpdate = z.infer<typeof workspaceUpdate>;

export const getInstanceUpdate = defineRoute({
  method: "GET",
  path: "/instance/update",
  tag: "Workspace",
  summary: "The last version change: its outcome, and whether the owner can roll back",
  auth: "session",
  success: { status: 200, body: z.object({ update: workspaceUpdate.nullable() }) },
  problems: ["workspace_not_found"],
});

export const getVersionHistory = defineRoute({
  method: "GET",
  path: "/instance/versions/history",
  tag: "Workspace",
  summary: "Every version change of the workspace, newest first",
  auth: "session",
  query: z.object({ before: fields.moment.optional().meta({ description: "`next` of the previous page" }) }),
  success: {
    status: 200,
    body: z.object({
      updates: z.array(workspaceUpdate),
      next: z.string().nullable(),
      launch: z
        .object({ version: z.string(), at: z.iso.datetime() })
        .nullable()
        .meta({ description: "the version that the workspace was launched with; only on the last page" }),
    }),
  },
  problems: ["workspace_not_found"],
});

export const rollBackInstance = defineRoute({
  method: "POST",
  path: "/instance/rollback",
  tag: "Workspace",
  summary:
    "Roll back to the version before the last update, with everything as it was then; later changes are kept as a backup. Confirmed by the account's name and a recently entered password",
  auth: "session",
  body: z.object({
    accountName: z.string(says("account_name.confirmation")).max(100, says("account_name.confirmation")),
    life: workspaceLife.optional(),
  }),
  success: { status: 202, body: instance },
  problems: [
    "workspace_not_found",
    "password_needed",
    "workspace_replaced",
    "roll_back_impossible",
    "restore_under_way",
    "instance_operations_off",
  ],
});
