/** Shapes of settings. An empty value counts as not set. */
import { z } from "zod";

const empty = (value: unknown) => (value === "" ? undefined : value);

/** A setting that may be omitted. */
export const optional = <T extends z.ZodType>(schema: T) => z.preprocess(empty, schema.optional());

/** A setting with a default. */
export const withDefault = <T extends z.ZodType>(schema: T, fallback: z.input<T>) =>
  z.preprocess((value) => empty(value) ?? fallback, schema);

/** An http or https URL, without trailing slashes. */
export const webAddress = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .transform((url) => url.replace(/\/+$/, ""));

/** Several texts, separated by commas. */
export const commaList = z.string().transform((list) => list.split(",").map((each) => each.trim()));

/** The names of the choices, for `z.enum`. */
export const namesOf = <Name extends string>(choices: Readonly<Record<Name, unknown>>) => Object.keys(choices) as [Name, ...Name[]];
