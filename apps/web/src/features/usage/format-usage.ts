import { dateFormat, number } from "../../lib/formats.ts";

const days = dateFormat({ day: "numeric", month: "long" });
const utcDays = dateFormat({ day: "numeric", month: "short", timeZone: "UTC" });

export const formatCount = (count: number): string => number.format(count);

/** A moment as a day where the reader is. */
export const formatDay = (iso: string): string => days.format(new Date(iso));

/** A day of the history, YYYY-MM-DD in UTC. */
export const formatDate = (date: string): string => utcDays.format(new Date(`${date}T00:00:00Z`));
