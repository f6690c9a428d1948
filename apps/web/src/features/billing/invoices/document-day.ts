import { dateFormat } from "../../../lib/formats.ts";

const format = dateFormat({ dateStyle: "long", timeZone: "UTC" });

/** A day on an invoice, in UTC like the numbers of invoices: `November 21, 2026`. */
export const documentDay = (at: string): string => format.format(new Date(at));
