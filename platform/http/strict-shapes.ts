/**
 * Refuses fields that a shape does not name: a misspelt field would otherwise be dropped without a word, and with it a guard such as `life`
 * or `revision` that was meant to stop the call.
 */
import type { FastifySchemaCompiler } from "fastify";
import { validatorCompiler } from "fastify-type-provider-zod";
import { z } from "zod";
import { fieldMessage, type FieldCode } from "#contract/api/field-words.ts";
import { AppError } from "../app-error.ts";

const code: FieldCode = "value.unknown";
/** Enough to find the mistake; a body has room for thousands. */
const mostNamed = 20;
const longestPath = 200;

/** Checks a request's parts against their zod shapes. In bodies and queries, each unknown field is a problem beside the others. */
export const strictValidatorCompiler: FastifySchemaCompiler<z.ZodType> = (route) => {
  const check = validatorCompiler(route as never);
  if (route.httpPart !== "body" && route.httpPart !== "querystring") return check;
  return (data: unknown) => {
    const checked = check(data) as { value: unknown } | { error: unknown[] };
    const unknown = unknownFields(route.schema, data).slice(0, mostNamed).map(asProblem);
    if (unknown.length === 0) return checked as never;
    return { error: [...("error" in checked ? checked.error : []), ...unknown] } as never;
  };
};

/** As fastify-type-provider-zod writes the problems that zod finds. */
const asProblem = (path: readonly string[]) => ({
  [Symbol.for("ZodFastifySchemaValidationError")]: true,
  keyword: "unrecognized_keys",
  instancePath: `/${path.join("/")}`.slice(0, longestPath),
  schemaPath: "#",
  message: code,
  params: {},
});

/** For a call that takes no body: a guard sent to it would not be looked at. Refuses (AppError) validation_failed for any field. */
export function refuseFields(body: unknown): void {
  const names = unknownFields(z.object({}), body).slice(0, mostNamed);
  const errors = names.map(([name = ""]) => ({ path: name.slice(0, longestPath), code, message: fieldMessage(code) }));
  if (errors.length > 0) throw new AppError("validation_failed", { errors });
}

type Path = readonly string[];

/** The paths of all fields of `value` that `type` does not name, at any depth. */
export function unknownFields(type: z.core.$ZodType, value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [];
  const { def } = (type as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return Object.entries(value).flatMap(([name, inner]) => {
        const field = Object.hasOwn(def.shape, name) ? def.shape[name] : def.catchall;
        return field ? unknownFields(field, inner, [...path, name]) : [[...path, name]];
      });
    case "array":
      return Array.isArray(value) ? value.flatMap((inner, at) => unknownFields(def.element, inner, [...path, String(at)])) : [];
    case "record":
      return Object.entries(value).flatMap(([name, inner]) => unknownFields(def.valueType, inner, [...path, name]));
    case "union":
      return unknownOfUnion(def.options, value, path);
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "nonoptional":
    case "readonly":
    case "catch":
      return unknownFields(def.innerType, value, path);
    case "pipe":
      return unknownFields(def.in, value, path);
    default:
      return [];
  }
}

/** By the choice that the value is: the first that it fits, or else the one that names most of it. */
function unknownOfUnion(options: readonly z.core.$ZodType[], value: object, path: Path): Path[] {
  const fitting = options.find((option) => z.safeParse(option, value).success);
  if (fitting) return unknownFields(fitting, value, path);
  return options.map((option) => unknownFields(option, value, path)).toSorted((a, b) => a.length - b.length)[0] ?? [];
}
