/** What may be entered into the settings form. */
import { zodResolver } from "@hookform/resolvers/zod";
import { z } from "zod";
import type { FieldCode } from "#contract/api/field-words.ts";
import { configuration } from "#contract/workspaces/workspace-configuration.ts";
import { executionsKeptBy, mostExecutionsToKeep, type KeepingPlan } from "#contract/workspaces/kept-executions.ts";

const overPlan: FieldCode = "executions.over_plan";

/**
 * The contract's own rules, and the plan's limit, which only the account knows. A timezone must be in the list or unchanged: the service
 * may know one that this browser does not.
 */
export const settingsSchema = (plan: KeepingPlan | null) =>
  z
    .object({ timezone: z.string(), versionName: z.string(), configuration })
    .refine(
      ({ configuration: { executionsToKeep } }) => executionsToKeep > mostExecutionsToKeep || executionsToKeep <= executionsKeptBy(plan),
      { message: overPlan, path: ["configuration", "executionsToKeep"] },
    );

export const settingsRules = (plan: KeepingPlan | null) => zodResolver(settingsSchema(plan));
