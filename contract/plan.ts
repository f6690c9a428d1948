/** What a plan allows and what it costs. */
import { z } from "zod";

/** -1 is unlimited (SPEC §9). */
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
    monthlyExecutionsLimit: limit,
    activeWorkflowsLimit: limit,
    credentialsLimit: limit,
    supportTier: z.string(),
    pruneExecutionsInterval: z.number().int().meta({ description: "hours" }),
    licenseFeatures: z.record(z.string(), z.union([z.boolean(), z.number()])),
    enabledFeatures: z.array(z.string()),
    userManagementEnabled: z.boolean(),
    allowCustomQuotas: z.boolean(),
    expirationDate: z.string().nullable(),
    metadata: planMetadata,
  })
  .meta({ id: "PlanSpec" });
export type PlanSpec = z.infer<typeof planSpec>;
