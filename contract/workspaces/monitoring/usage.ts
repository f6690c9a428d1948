/** What an account used of its plan. */
import { z } from "zod";
import { defineRoute } from "../../api/route.ts";

const limit = z.number().int().min(-1).meta({ description: "-1 is unlimited" });

/** What the workspace itself carries: the two figures that a plan limits. */
export const usedNow = z.object({
  executions: z.number().int().meta({ description: "in this usage period" }),
  activeWorkflows: z.number().int(),
});

export const usedLimits = z
  .object({
    ...usedNow.shape,
    timeframe: z.object({
      startsAt: z.iso.datetime(),
      endsAt: z.iso.datetime().nullable().meta({ description: "when the execution count resets, or the trial ends; null: unknown" }),
    }),
    limits: z.object({ executions: limit, activeWorkflows: limit }),
    history: z
      .array(z.object({ date: z.iso.date(), executions: z.number().int(), failed: z.number().int() }))
      .meta({ description: "the last 30 days in UTC, oldest first, today included" }),
    workflows: z
      .array(z.object({ id: z.string(), name: z.string(), executions: z.number().int(), failed: z.number().int() }))
      .nullable()
      .meta({
        description: "at most 20, by executions in this usage period, as reported by the workspace; null: not reported",
      }),
    countedAt: z.iso.datetime().meta({ description: "when the workspace last reported its usage" }),
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
  writes: "question",
  problems: ["usage_unknown"],
});
