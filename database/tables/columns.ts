/** Column types that many tables share. */
import { timestamp } from "drizzle-orm/pg-core";

/** A moment, with its time zone; a Date in the program. */
export const at = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });
