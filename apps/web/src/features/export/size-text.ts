import { t } from "./words.ts";
import { dateFormat, moment, numberFormat } from "../../lib/formats.ts";

const number = numberFormat({ maximumFractionDigits: 1 });

/** A number of bytes for people, in the units that file managers show. */
export function sizeText(bytes: number): string {
  const units = [t("exporting.bytes"), "KB", "MB", "GB", "TB"];
  let [value, unit] = [bytes, 0];
  for (; value >= 999.5 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${number.format(unit === 0 || value >= 99.5 ? Math.round(value) : value)} ${units[unit]}`;
}

const day = dateFormat({ dateStyle: "medium" });

export const momentText = (at: string): string => moment.format(new Date(at));
export const dayText = (at: string): string => day.format(new Date(at));

/** A number of things of a kind, in words. */
export const countText = (kind: "workflows" | "credentials" | "executions", count: number): string =>
  t(`exporting.backups.${kind}`, { count });
