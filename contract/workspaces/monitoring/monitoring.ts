/** A workspace over a period: its memory, processor time and disk, its events, and how its webhooks were answered, all on one axis. */
import { z } from "zod";
import { defineRoute } from "../../api/route.ts";

export const monitoringRanges = ["1h", "24h", "7d", "30d"] as const;
export type MonitoringRange = (typeof monitoringRanges)[number];

export const monitoringMark = z
  .object({
    at: z.iso.datetime(),
    kind: z.enum(["stop", "restart", "version", "backup"]).meta({ description: "`stop`: an unexpected stop" }),
    message: z.string().nullable().meta({ description: "what happened, and its cause; null for a backup" }),
  })
  .meta({ id: "MonitoringMark" });
export type MonitoringMark = z.infer<typeof monitoringMark>;

const loadSample = z.object({
  at: z.iso.datetime(),
  memoryMb: z.number().int(),
  cpuPercent: z.number().int().nullable().meta({ description: "of one processor; null: unknown" }),
  diskMb: z.number().int().nullable().meta({ description: "null: the host cannot tell" }),
});

export const getInstanceMonitoring = defineRoute({
  method: "GET",
  path: "/instance/monitoring",
  tag: "Workspace",
  summary: "Memory, processor time, disk, restarts, versions and backups of the workspace over a period, oldest first",
  auth: "session",
  query: z.object({ range: z.enum(monitoringRanges).default("24h") }),
  success: {
    status: 200,
    body: z.object({
      from: z.iso.datetime(),
      to: z.iso.datetime(),
      limitMb: z.number().int().meta({ description: "the limit the running workspace was started with" }),
      cpuLimitPercent: z.number().int().meta({ description: "percent of one processor; 200 is two processors" }),
      diskLimitMb: z.number().int(),
      plannedMb: z.number().int().meta({ description: "the limit from its next start" }),
      samples: z
        .array(loadSample)
        .meta({ description: "the maximum of each minute (1h), five minutes (24h) or hour (7d and 30d) in which the workspace ran" }),
      marks: z.array(monitoringMark).meta({ description: "the newest 200 at most, and up to 100 backups that still exist" }),
    }),
  },
  problems: ["workspace_not_found"],
});

const webhookFigures = z
  .object({
    calls: z.number().int(),
    clientErrors: z.number().int().meta({ description: "answered with 4xx, except 402 and 429" }),
    failed: z.number().int().meta({
      description: "refused by the gateway, answered with 5xx, 402 or 429, or not answered before the caller disconnected",
    }),
    waited: z.number().int().meta({ description: "waited for the workspace to wake or start; not included in the times" }),
    medianMs: z.number().int().nullable().meta({ description: "from the request's headers to the response's; null: no response" }),
    p95Ms: z.number().int().nullable().meta({ description: "95 % of the responses arrived within this time" }),
  })
  .meta({ id: "WebhookFigures" });
export type WebhookFigures = z.infer<typeof webhookFigures>;

export const getInstanceWebhooks = defineRoute({
  method: "GET",
  path: "/instance/webhooks",
  tag: "Workspace",
  summary: "Calls to the workspace's webhooks over a period, as seen by the gateway: how many, how they were answered, and how fast",
  auth: "session",
  query: z.object({ range: z.enum(monitoringRanges).default("24h") }),
  success: {
    status: 200,
    body: z.object({
      from: z.iso.datetime(),
      to: z.iso.datetime(),
      spanMinutes: z.number().int().meta({ description: "the period each point covers" }),
      total: webhookFigures,
      points: z
        .array(webhookFigures.extend({ at: z.iso.datetime().meta({ description: "when it begins" }) }))
        .meta({ description: "oldest first; periods without calls are left out" }),
    }),
  },
  problems: ["workspace_not_found"],
});
