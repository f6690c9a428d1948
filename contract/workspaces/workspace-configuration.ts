/** What an owner may set for their workspace besides its timezone and version. */
import { z } from "zod";
import type { FieldCode } from "../api/field-words.ts";
import { fewestExecutionsToKeep, mostExecutionsToKeep } from "./kept-executions.ts";
import { maintenanceDays, releaseChannels } from "./workspace-values.ts";

const says = (code: FieldCode): FieldCode => code;

/** In the workspace's own timezone. */
const maintenanceWindow = z
  .object({
    weekday: z.enum(maintenanceDays, says("value.invalid")),
    startHour: z.number(says("value.invalid")).int(says("value.invalid")).min(0, says("value.invalid")).max(23, says("value.invalid")),
  })
  .meta({ id: "MaintenanceWindow" });
export type MaintenanceWindow = z.infer<typeof maintenanceWindow>;

const executionsToKeep = z
  .number(says("executions.invalid"))
  .int(says("executions.invalid"))
  .min(fewestExecutionsToKeep, says("executions.too_few"))
  .max(mostExecutionsToKeep, says("executions.too_many"));

export const configuration = z
  .object({
    channel: z.enum(releaseChannels, says("value.invalid")),
    autoUpdate: z.boolean(says("value.invalid")),
    maintenanceWindow,
    executionsToKeep,
  })
  .meta({ id: "InstanceConfiguration" });
export type InstanceConfiguration = z.infer<typeof configuration>;
