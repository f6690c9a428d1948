/** What an owner may set for their workspace besides its timezone and version. */
import { z } from "zod";
import type { FieldCode } from "../api/field-words.ts";

const says = (code: FieldCode): FieldCode => code;

/** `stable`: releases whose minor version has a successor, so that its faults are known. `newest`: every qualified release. */
export const releaseChannels = ["stable", "newest"] as const;
export type ReleaseChannel = (typeof releaseChannels)[number];

export const maintenanceDays = ["any", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

/** By the workspace's own timezone. */
export const maintenanceWindow = z
  .object({
    weekday: z.enum(maintenanceDays, says("value.invalid")),
    startHour: z.number(says("value.invalid")).int(says("value.invalid")).min(0, says("value.invalid")).max(23, says("value.invalid")),
  })
  .meta({ id: "MaintenanceWindow" });
export type MaintenanceWindow = z.infer<typeof maintenanceWindow>;

/** Hours that a maintenance window is open. */
export const maintenanceHours = 4;

/** Fewer are gone before anybody can look at what failed. */
export const fewestExecutionsToKeep = 100;
/** n8n's own default; more make its SQLite database large and slow. */
export const mostExecutionsToKeep = 10_000;

/** The most that a plan lets a workspace keep: a month's worth, within the above. -1 is any number a month. */
export function executionsToKeepLimit(monthlyExecutionsLimit: number): number {
  if (monthlyExecutionsLimit < 0) return mostExecutionsToKeep;
  return Math.min(Math.max(monthlyExecutionsLimit, fewestExecutionsToKeep), mostExecutionsToKeep);
}

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
