/** What a plan allows (its spec), and what it costs (the plan itself, an entry of the price catalogue). */
import { z } from "zod";
import { defineRoute } from "../../api/route.ts";
import { fewestExecutionsToKeep, mostExecutionsToKeep } from "../../workspaces/kept-executions.ts";

/** -1 is unlimited. */
const limit = z.number().int().min(-1);

export const planMetadata = z.object({
  version: z.string(),
  group: z.enum(["opt-out", "opt-in", "trial", "legacy", "enterprise"]),
  slug: z.enum(["pro-1", "pro-2", "starter", "trial-1", "custom", "power", "large"]),
});

export const planSpec = z
  .object({
    id: z.string(),
    planId: z.string(),
    displayName: z.string(),
    family: z
      .string()
      .optional()
      .meta({ description: "the name that plans of several sizes share, with which their own names begin: `Pro` of `Pro 10K`" }),
    monthlyExecutionsLimit: limit,
    activeWorkflowsLimit: limit,
    credentialsLimit: limit,
    concurrentExecutionsLimit: limit.optional().meta({
      description: "executions of webhooks and triggers that run at a time, while others wait their turn; -1, the default, is unlimited",
    }),
    supportTier: z.string(),
    pruneExecutionsInterval: z.number().int().meta({ description: "hours" }),
    executionsKept: z.number().int().min(fewestExecutionsToKeep).max(mostExecutionsToKeep).optional().meta({
      description: "how many executions a workspace keeps at most, within `pruneExecutionsInterval`; by default a month's, at most 10,000",
    }),
    backupDays: z.number().int().min(1).optional().meta({ description: "days that backups are kept" }),
    sleepAfterMinutes: z
      .number()
      .int()
      .min(5)
      .max(10_080)
      .optional()
      .meta({ description: "minutes of inactivity after which the workspace may fall asleep; 30 by default" }),
    stopAfterMinutes: z.number().int().min(30).max(43_200).optional().meta({
      description: "minutes of inactivity after which a sleeping workspace is stopped; its next use starts it; 720 by default",
    }),
    memoryMb: z
      .number()
      .int()
      .min(512)
      .max(65536)
      .optional()
      .meta({ description: "memory of the workspace from its next start; by default, what the service gives every workspace" }),
    licenseFeatures: z.record(z.string(), z.union([z.boolean(), z.number()])),
    enabledFeatures: z.array(z.string()).meta({
      description:
        "feature labels; `deliveredFeatures` in contract/billing/plans/delivered-features.ts decides which of them this service delivers",
    }),
    n8nLicense: z
      .boolean()
      .optional()
      .meta({ description: "whether workspaces on this plan use the operator's n8n license, if there is one" }),
    userManagementEnabled: z.boolean(),
    allowCustomQuotas: z.boolean(),
    expirationDate: z.string().nullable(),
    trialDays: z.number().int().min(1).optional().meta({ description: "total length of the trial including extensions; only on a trial" }),
    metadata: planMetadata,
  })
  .meta({ id: "PlanSpec" });
export type PlanSpec = z.infer<typeof planSpec>;

/** How often a plan is paid. */
export const billingPeriod = z.object({ unit: z.enum(["day", "month", "yr"]), count: z.number().int().min(1) });

/** Limits and prices of a quota that the customer chooses; anything above `included` is charged per `per` units. */
export const customQuota = z.object({
  min: z.number().int(),
  max: z.number().int(),
  step: z.number().int().min(1),
  included: z.number().int(),
  per: z.number().int().min(1).meta({ description: "1,000 executions, or 1 workflow" }),
  price: z.record(z.string(), z.number().int()).meta({ description: "minor units by ISO currency, for each `per` and billing period" }),
});

/** An entry of the price catalogue. Several plans sell the same spec, such as monthly and yearly. */
export const plan = z
  .object({
    id: z.string(),
    name: z.string(),
    billing_type: z.enum(["one-time", "custom", "month", "year"]).meta({
      description:
        "yearly plans have `year`, including those with custom quotas (`custom_quotas`); `custom` is a custom-quota plan paid monthly",
    }),
    billing_period: billingPeriod,
    recurring_price: z.record(z.string(), z.number().int().min(0)).meta({ description: "minor units by ISO currency, without tax" }),
    custom_quotas: z.object({ monthlyExecutions: customQuota, activeWorkflows: customQuota }).nullable(),
    spec: planSpec,
  })
  .meta({ id: "Plan" });
export type Plan = z.infer<typeof plan>;

const planId = z.string().min(1).max(64);

export const listPlans = defineRoute({
  method: "GET",
  path: "/v1/paddle/plans",
  tag: "Plans",
  summary: "The plans that can be chosen, by their recurring price in USD, cheapest first",
  auth: "none",
  success: { status: 200, body: z.object({ plans: z.array(plan) }) },
  problems: [],
});

export const getPlan = defineRoute({
  method: "GET",
  path: "/v1/paddle/plan/:id",
  tag: "Plans",
  summary: "One plan, including plans that can no longer be chosen",
  auth: "none",
  params: z.object({ id: planId }),
  success: { status: 200, body: z.object({ plan }) },
  problems: ["plan_not_found"],
});

export const generatePayLink = defineRoute({
  method: "POST",
  path: "/v1/paddle/plan/:id/generatePayLink",
  tag: "Plans",
  summary: "Opens a checkout for the plan and returns the address of the payment page",
  auth: "session",
  params: z.object({ id: planId }),
  body: z.object({
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .optional(),
    /** For a plan with `custom_quotas`. */
    quotas: z.object({ monthlyExecutions: z.number().int(), activeWorkflows: z.number().int() }).optional(),
  }),
  success: { status: 200, body: z.object({ url: z.string() }) },
  problems: ["plan_not_found", "plan_withdrawn", "already_subscribed", "payments_unavailable"],
});
