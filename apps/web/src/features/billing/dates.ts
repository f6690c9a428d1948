/** Days and moments of billing, in the reader's own time zone. */
const longDate = new Intl.DateTimeFormat("en", { dateStyle: "long" });
const shortDate = new Intl.DateTimeFormat("en", { dateStyle: "medium" });

const longMoment = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short" });

export const momentOf = (moment: string): string => longMoment.format(new Date(moment));
export const dayOf = (moment: string): string => longDate.format(new Date(moment));
export const shortDay = (moment: string): string => shortDate.format(new Date(moment));

/** Month and year as printed on the card. */
export const cardMonth = (month: number, year: number): string =>
  `${String(month).padStart(2, "0")}/${String(year % 100).padStart(2, "0")}`;
