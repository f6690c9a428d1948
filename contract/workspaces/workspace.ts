/** The workspace as the panel sees it. The API's calls name it "instance"; everywhere else it is a workspace. */
import { z } from "zod";
import * as fields from "../api/fields.ts";
import { defineRoute } from "../api/route.ts";
import { usedNow } from "./monitoring/usage.ts";
import { engineNames } from "./engine-names.ts";
import { configuration } from "./workspace-configuration.ts";
import { launchSteps, troubleCauses } from "./workspace-values.ts";

export const progress = z.object({
  step: z.enum(launchSteps),
  label: z.string(),
  percent: z.number().int().min(0).max(100).meta({ description: "progress of the whole launch" }),
});

/** Tells an account's workspaces apart: each one created after a deletion has the next number. */
export const workspaceLife = z.number().int().min(1).max(2_147_483_647);

export const instance = z
  .object({
    life: workspaceLife.meta({
      description:
        "number of this workspace in the account; send it back with a deletion, restore or rollback to have one meant for a workspace deleted since refused",
    }),
    status: z
      .union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])
      .meta({ description: "0 offline, 1 online, 2 pending, 3 stopped" }),
    engine: z.enum(engineNames),
    versionName: z.string().meta({ description: "the requested version" }),
    runningVersion: z.string().optional().meta({ description: "the version that ran last while another one is requested" }),
    timezone: z.string(),
    configuration,
    revision: z
      .string()
      .meta({ description: "version of the settings; send it back with a change to have a change based on older settings refused" }),
    url: z.string().meta({ description: "signs the owner in to the workspace, in a browser that is signed in here" }),
    address: z.string().meta({ description: "the workspace's own URL, which every visitor may open" }),
    usedLimits: usedNow.nullable().meta({ description: "of the plan, in this usage period; null until something has been counted" }),
    isNew: z.boolean().meta({ description: "it has never been online" }),
    isBeingDeleted: z.boolean(),
    progress: progress.optional(),
    reason: z.string().optional().meta({ description: "why the workspace has a problem, in words for its owner" }),
    cause: z.enum(troubleCauses).optional(),
    asleepSince: z.iso
      .datetime()
      .optional()
      .meta({ description: "since when an online workspace has been asleep because of inactivity; the next request wakes it" }),
    deletionAt: z.iso.datetime().optional(),
  })
  .meta({ id: "Instance" });
export type Instance = z.infer<typeof instance>;

export const getInstance = defineRoute({
  method: "GET",
  path: "/instance",
  tag: "Workspace",
  summary: "The workspace: what was requested, what is running, and its progress",
  auth: "session",
  success: { status: 200, body: instance },
  problems: ["workspace_not_found"],
});

export const getInstanceUrl = defineRoute({
  method: "GET",
  path: "/instance/url",
  tag: "Workspace",
  summary: "A one-time link, valid for 60 seconds, that signs the owner in to the workspace",
  auth: "session",
  query: z.object({ path: z.string().max(500).optional().meta({ description: "where in the workspace to land; a local path" }) }),
  success: { status: 200, body: z.object({ url: z.string() }) },
  writes: "change",
  problems: ["workspace_not_found", "workspace_not_online"],
});

export const getWorkspaceUrl = defineRoute({
  method: "GET",
  path: "/workspace/:username",
  tag: "Workspace",
  summary: "The URL of an account's workspace, without signing in; reveals no more than a visit to that URL",
  auth: "none",
  params: z.object({ username: fields.accountName }),
  success: { status: 200, body: z.object({ url: z.string() }) },
  problems: ["workspace_not_found"],
});

export const restartInstance = defineRoute({
  method: "PUT",
  path: "/instance/restart",
  tag: "Workspace",
  summary: "Restart the workspace",
  auth: "session",
  success: { status: 202, body: instance },
  problems: ["workspace_not_found", "instance_operations_off"],
});

export const instanceEvents = defineRoute({
  method: "GET",
  path: "/instance/events",
  tag: "Workspace",
  summary: "The workspace, sent each time it changes (event `instance`)",
  auth: "session",
  success: { status: 200, body: instance, stream: true },
  problems: ["workspace_not_found", "too_many_streams"],
});

export const journalEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  event: z.string(),
  message: z.string(),
  detail: z.string().nullable(),
  by: z.string().nullable().meta({ description: "who caused it; null: the service" }),
});
export type JournalEntry = z.infer<typeof journalEntry>;

export const getInstanceJournal = defineRoute({
  method: "GET",
  path: "/instance/journal",
  tag: "Workspace",
  summary: "The workspace's journal, newest first",
  auth: "session",
  query: z.object({
    before: z
      .string()
      .regex(/^\d{1,18}$/)
      .optional()
      .meta({ description: "`next` of the previous page" }),
    kind: z.enum(["all", "crashes"]).optional().meta({ description: "`crashes`: only unexpected stops" }),
  }),
  success: { status: 200, body: z.object({ entries: z.array(journalEntry), next: z.string().nullable() }) },
  problems: ["workspace_not_found"],
});
