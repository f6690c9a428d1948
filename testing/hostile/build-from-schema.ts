/** Values that match a zod schema well enough to pass it, so that the code behind it is tested as well. */
import { z } from "zod";
import type { SeededChoices } from "#platform/seeded-random.ts";

type JsonSchema = { [key: string]: unknown } & {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
};

/** Valid values by field name: what a caller knows. */
export type Words = (field: string) => readonly unknown[];

const schemas = new Map<z.ZodType, JsonSchema>();
const schemaOf = (type: z.ZodType): JsonSchema => {
  const known = schemas.get(type) ?? (z.toJSONSchema(type, { io: "input", unrepresentable: "any" }) as JsonSchema);
  schemas.set(type, known);
  return known;
};

/** A value for the schema; optional fields are sometimes omitted. */
export function buildFromSchema(type: z.ZodType, words: Words, random: SeededChoices): unknown {
  const root = schemaOf(type);
  const build = (schema: JsonSchema, field: string): unknown => {
    if (schema.$ref) return build(root.$defs?.[schema.$ref.split("/").at(-1)!] ?? {}, field);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return random.pick(schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return build(random.pick(choices), field);
    switch (schema.type) {
      case "object": {
        const wanted = Object.entries(schema.properties ?? {}).filter(
          ([name]) => schema.required?.includes(name) === true || random.percent(60),
        );
        return Object.fromEntries(wanted.map(([name, inner]) => [name, build(inner, name)]));
      }
      case "array":
        return Array.from({ length: Math.max(schema.minItems ?? 0, random.below(Math.min(4, schema.maxItems ?? 4) + 1)) }, () =>
          build(schema.items ?? {}, field),
        );
      case "integer":
      case "number":
        return random.percent(60) && words(field).length > 0
          ? random.pick(words(field))
          : random.pick([schema.minimum ?? 0, schema.maximum ?? 1_000_000, 1, 5_000, 10_000]);
      case "boolean":
        return random.percent(50);
      case "null":
        return null;
      default:
        return random.pick(words(field).length > 0 ? words(field) : ["some text", "a", "Ada Lovelace"]);
    }
  };
  return build(root, "");
}
