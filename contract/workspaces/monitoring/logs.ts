/** The output of a workspace: its newest lines, all stored output, and what is added while a page follows it. */
import { z } from "zod";
import { defineRoute } from "../../api/route.ts";

const tag = "Workspace";

export const getInstanceLogs = defineRoute({
  method: "GET",
  path: "/instance/logs",
  tag,
  summary: "The newest output of the workspace, oldest line first, at most 64 KB",
  auth: "session",
  success: {
    status: 200,
    body: z.object({
      text: z.string(),
      readAt: z.iso.datetime().nullable().meta({ description: "when it was read; null: not yet" }),
      isCurrent: z.boolean().meta({ description: "false: the host did not answer in time, so this is the last known output" }),
    }),
  },
  writes: "question",
  problems: ["workspace_not_found"],
});

export const outputEvent = z
  .object({
    text: z.string().meta({ description: "whole lines, oldest first" }),
    isWhole: z.boolean().meta({ description: "true: the newest output, replacing everything sent before; false: output added since" }),
    isCut: z.boolean().meta({ description: "lines before this text are missing, because the workspace wrote more than can be sent" }),
    readAt: z.iso.datetime().nullable().meta({ description: "when it was read; null: not yet" }),
    isCurrent: z.boolean().meta({ description: "false: the host did not answer in time, so this is the last known output" }),
    isLive: z.boolean().meta({
      description: "true: new lines are sent as they are written; false: the newest output is read and sent again every 15 seconds",
    }),
  })
  .meta({ id: "OutputEvent" });
export type OutputEvent = z.infer<typeof outputEvent>;

export const instanceOutput = defineRoute({
  method: "GET",
  path: "/instance/logs/events",
  tag,
  summary: "The workspace's output as it is written (event `output`): the newest lines, then each addition",
  auth: "session",
  success: { status: 200, body: outputEvent, stream: true },
  problems: ["workspace_not_found", "too_many_streams"],
});

export const downloadInstanceLogs = defineRoute({
  method: "GET",
  path: "/instance/logs/download",
  tag,
  summary: "All stored output of the workspace as a text file",
  auth: "session",
  success: { status: 200, body: null },
  writes: "question",
  problems: ["workspace_not_found"],
});
