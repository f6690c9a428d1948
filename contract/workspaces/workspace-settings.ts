/** What an owner can do with their workspace in the Manage area: versions, settings, deleting it and creating a new one. */
import { z } from "zod";
import * as fields from "../api/fields.ts";
import type { FieldCode } from "../api/field-words.ts";
import { defineRoute } from "../api/route.ts";
import { instance, workspaceLife } from "./workspace.ts";
import { configuration } from "./workspace-configuration.ts";
import { releaseChannels } from "./workspace-values.ts";

const says = (code: FieldCode): FieldCode => code;

export const releaseChanges = z
  .object({
    since: z.string().meta({ description: "the release that it was compared with: the one before it" }),
    newNodes: z.array(z.string()),
    changedNodes: z.array(z.string()).meta({ description: "have a new version, which new nodes use; nodes in workflows stay as they are" }),
    removedNodes: z.array(z.string()).meta({ description: "workflows with them stop working" }),
    migrations: z.number().int().min(0).meta({ description: "changes to the database" }),
  })
  .meta({ id: "ReleaseChanges" });
export type ReleaseChanges = z.infer<typeof releaseChanges>;

export const instanceVersion = z
  .object({
    name: z.string(),
    releasedAt: z.iso.datetime(),
    channel: z.enum(releaseChannels),
    needsMigration: z.boolean().meta({ description: "moving to it from the current version changes the database irreversibly" }),
    isPossible: z.boolean().meta({ description: "false if the database would have to be downgraded" }),
    changes: releaseChanges.optional().meta({ description: "what it changed; absent for the oldest release" }),
    notes: z.string().optional().meta({ description: "address of the release notes" }),
  })
  .meta({ id: "InstanceVersion" });
export type InstanceVersion = z.infer<typeof instanceVersion>;

export const listInstanceVersions = defineRoute({
  method: "GET",
  path: "/instance/versions",
  tag: "Workspace",
  summary: "The engine versions available to the workspace, newest first; before a launch, those it can be launched with",
  auth: "session",
  success: { status: 200, body: z.object({ versions: z.array(instanceVersion), current: z.string() }) },
  problems: [],
});

/** What `GET /instance` returns besides: it may be sent back, and is ignored. */
const notSet = z.unknown().optional();
type Ignored = Exclude<keyof z.infer<typeof instance>, "status" | "timezone" | "versionName" | "configuration" | "revision">;
const ignored: Readonly<Record<Ignored, typeof notSet>> = {
  life: notSet,
  engine: notSet,
  runningVersion: notSet,
  url: notSet,
  address: notSet,
  usedLimits: notSet,
  isNew: notSet,
  isBeingDeleted: notSet,
  progress: notSet,
  reason: notSet,
  cause: notSet,
  asleepSince: notSet,
  deletionAt: notSet,
};

/** The instance without its status. Fields left out stay unchanged; those of the instance that cannot be set are ignored. */
export const instanceChange = z.object({
  ...ignored,
  revision: z
    .string()
    .max(100)
    .optional()
    .meta({ description: "the change is refused if the settings are no longer at this version; if omitted, it is applied in any case" }),
  timezone: fields.timezone.optional(),
  versionName: z.string(says("version.unknown")).max(40, says("version.unknown")).optional(),
  configuration: configuration.partial().optional(),
});
export type InstanceChange = z.infer<typeof instanceChange>;

export const changeInstance = defineRoute({
  method: "PUT",
  path: "/instance/configuration",
  tag: "Workspace",
  summary: "Change the settings: all of them, or none if any value is invalid. The workspace restarts if necessary",
  auth: "session",
  body: instanceChange,
  success: { status: 202, body: instance },
  problems: ["workspace_not_found", "settings_changed", "restore_under_way", "instance_operations_off"],
});

export const deleteInstance = defineRoute({
  method: "POST",
  path: "/instance/delete",
  tag: "Workspace",
  summary: "Permanently delete the workspace and everything in it; confirmed by the account's name and a recently entered password",
  auth: "session",
  body: z.object({
    accountName: z.string(says("account_name.confirmation")).max(100, says("account_name.confirmation")),
    life: workspaceLife.optional(),
  }),
  success: { status: 202, body: instance },
  problems: ["workspace_not_found", "workspace_replaced", "password_needed", "instance_operations_off"],
});

export const createInstance = defineRoute({
  method: "POST",
  path: "/instance",
  tag: "Workspace",
  summary: "Create a new, empty workspace after the last one was deleted, if the subscription allows it",
  auth: "session",
  body: z.object(fields.newWorkspace),
  success: { status: 202, body: instance },
  problems: ["workspace_exists", "subscription_required", "instance_operations_off"],
});
