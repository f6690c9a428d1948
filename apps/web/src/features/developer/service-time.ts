import { dateFormat } from "../../lib/formats.ts";

const timeFormat = dateFormat({ dateStyle: "medium", timeStyle: "short" });

/** A moment as the developer bar writes it, in the reader's own time zone. */
export const serviceTime = (at: number | string): string => timeFormat.format(new Date(at));
