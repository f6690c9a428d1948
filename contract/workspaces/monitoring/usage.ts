/** What an account used of its plan. */
import { z } from "zod";
import { defineRoute } from "../../api/route.ts";

const limit = z.number().int().min(-1).meta({ description: "-1 is unlimited" });

export const usedLimits = z
  .object({
    executions: z.number().int().meta({ description: "in this usage period" }),
    activeWorkflows: z.number().int(),
    timeframe: z.object({
      startsAt: z.iso.datetime(),
      endsAt: z.iso.datetime().nullable().meta({ description: "when executions count anew, or the trial ends; null: not known" }),
    }),
    limits: z.object({ executions: limit, activeWorkflows: limit }),
    history: z
      .array(z.object({ date: z.iso.date(), executions: z.number().int(), failed: z.number().int() }))
      .meta({ description: "the last 30 days in UTC, oldest first, today included" }),
    workflows: z
      .array(z.object({ id: z.string(), name: z.string(), executions: z.number().int(), failed: z.number().int() }))
      .nullable()
      .meta({
        description: "at most 20, those with the most executions in this usage period first, as the workspace says; null: it does not",
      }),
    countedAt: z.iso.datetime().meta({ description: "when the workspace last said what it used" }),
  })
  .meta({ id: "UsedLimits" });
export type UsedLimits = z.infer<typeof usedLimits>;

export const getUsedLimits = defineRoute({
  method: "GET",
  path: "/instance/used-limits",
  tag: "Workspace",
  summary: "How much of the plan is used; 404 until something has been counted",
  auth: "session",
  success: { status: 200, body: usedLimits },
  problems: ["usage_unknown"],
});
