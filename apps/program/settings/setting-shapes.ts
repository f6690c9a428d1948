/** The shapes that settings are made of: an empty value is a setting that was not given. */
import { z } from "zod";

const empty = (value: unknown) => (value === "" ? undefined : value);

/** A setting that may be left out. */
export const optional = <T extends z.ZodType>(schema: T) => z.preprocess(empty, schema.optional());

/** A setting with a value for whoever leaves it out. */
export const withDefault = <T extends z.ZodType>(schema: T, fallback: z.input<T>) =>
  z.preprocess((value) => empty(value) ?? fallback, schema);

/** An address of the web, without slashes at its end. */
export const webAddress = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .transform((url) => url.replace(/\/+$/, ""));

/** The names of a list of choices, as a setting takes them. */
export const namesOf = <Name extends string>(choices: Readonly<Record<Name, unknown>>) => Object.keys(choices) as [Name, ...Name[]];
