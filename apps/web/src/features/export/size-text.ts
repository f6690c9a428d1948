import { t } from "./words.ts";

/** A number of bytes for people, in the units that file managers show. */
export function sizeText(bytes: number): string {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  let [value, unit] = [bytes, 0];
  for (; value >= 999.5 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${unit === 0 || value >= 99.5 ? Math.round(value) : Number(value.toFixed(1))} ${units[unit]}`;
}

const moment = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
const day = new Intl.DateTimeFormat("en", { dateStyle: "medium" });

export const momentText = (at: string): string => moment.format(new Date(at));
export const dayText = (at: string): string => day.format(new Date(at));

/** So many of a kind, in words. */
export const countText = (kind: "workflows" | "credentials" | "executions", count: number): string =>
  t(`exporting.backups.${kind}`, { count });
