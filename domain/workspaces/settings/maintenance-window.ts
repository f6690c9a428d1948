/** When automatic updates may happen. */
import type { MaintenanceWindow } from "#contract/workspaces/workspace-configuration.ts";
import { maintenanceHours } from "#contract/workspaces/workspace-values.ts";
import { hourMs } from "#platform/clock.ts";

/** Whether the window is open at this moment, in `timezone`. One that begins late in the evening continues after midnight. */
export function isInMaintenanceWindow({ weekday, startHour }: MaintenanceWindow, timezone: string, now: Date): boolean {
  const parts = new Intl.DateTimeFormat("en", { timeZone: timezone, weekday: "long", hour: "2-digit", hourCycle: "h23" });
  const local = (hoursAgo: number): { day: string | undefined; hour: number } => {
    const found = parts.formatToParts(new Date(now.getTime() - hoursAgo * hourMs));
    const [day, hour] = ["weekday", "hour"].map((type) => found.find((part) => part.type === type)?.value);
    return { day: day?.toLowerCase(), hour: Number(hour) };
  };
  // The window is open if it began at most so many whole hours ago: looking back also finds yesterday's. It begins with the first hour of
  // the day that is not earlier, because clocks may skip its own hour.
  return Array.from({ length: maintenanceHours }, (_, hoursAgo) => hoursAgo).some((hoursAgo) => {
    const [at, before] = [local(hoursAgo), local(hoursAgo + 1)];
    return (weekday === "any" || at.day === weekday) && at.hour >= startHour && (before.day !== at.day || before.hour < startHour);
  });
}
