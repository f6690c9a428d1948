/** When automatic updates may happen. */
import { maintenanceHours, type MaintenanceWindow } from "#contract/workspace-configuration.ts";
import { hourMs } from "#platform/clock.ts";

/** Whether the window is open at this moment, by the clock of `timezone`. One that begins late in the evening goes on after midnight. */
export function isInMaintenanceWindow({ weekday, startHour }: MaintenanceWindow, timezone: string, now: Date): boolean {
  const parts = new Intl.DateTimeFormat("en", { timeZone: timezone, weekday: "long", hour: "2-digit", hourCycle: "h23" });
  // The window is open when it began at most so many whole hours ago: looking back also finds yesterday's.
  return Array.from({ length: maintenanceHours }, (_, hours) => new Date(now.getTime() - hours * hourMs)).some((moment) => {
    const [day, hour] = ["weekday", "hour"].map((type) => parts.formatToParts(moment).find((part) => part.type === type)?.value);
    return Number(hour) === startHour && (weekday === "any" || day?.toLowerCase() === weekday);
  });
}
