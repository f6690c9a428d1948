/** Days and moments of billing, in the reader's own time zone. */
import { dateFormat } from "../../lib/formats.ts";

const longDate = dateFormat({ dateStyle: "long" });
const shortDate = dateFormat({ dateStyle: "medium" });

const longMoment = dateFormat({ dateStyle: "long", timeStyle: "short" });

export const momentOf = (moment: string): string => longMoment.format(new Date(moment));
export const dayOf = (moment: string): string => longDate.format(new Date(moment));
export const shortDay = (moment: string): string => shortDate.format(new Date(moment));

/** Month and year as printed on the card. */
export const cardMonth = (month: number, year: number): string =>
  `${String(month).padStart(2, "0")}/${String(year % 100).padStart(2, "0")}`;
