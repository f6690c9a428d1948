/** Schemas as the reference shows them: in the style of TypeScript, with links to named shapes. */
import { escapeHtml } from "../../gateway/refusals/refusal-page.ts";
import { shapeName, type Schema } from "./api-document.ts";

/** A text's anchor in the page. */
export const anchorOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

/** The contract's sentences mark names with backticks. */
export const prose = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");

/** HTML of a schema; the lines after the first begin with `indent`. */
export function shapeOf(schema: Schema | undefined, indent = ""): string {
  if (!schema) return "anything";
  if (schema.$ref) {
    const name = shapeName(schema.$ref);
    return `<a href="#shape-${anchorOf(name)}">${escapeHtml(name)}</a>`;
  }
  const literals = schema.enum ?? ("const" in schema ? [schema.const] : undefined);
  if (literals) return literals.map((value) => escapeHtml(JSON.stringify(value))).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((each) => shapeOf(each, indent)).join(" | ");
  if (schema.type === "array") return `list of ${shapeOf(schema.items, indent)}`;
  if (schema.properties) return objectShape(schema, indent);
  if (typeof schema.additionalProperties === "object") return `map of ${shapeOf(schema.additionalProperties, indent)}`;
  return (schema.type ?? "anything") + limitsOf(schema);
}

function objectShape({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const note = schema.description ? ` <i>${prose(schema.description)}</i>` : "";
    return `${inner}${escapeHtml(name)}${required.includes(name) ? "" : "?"}: ${shapeOf(schema, inner)}${note}\n`;
  });
  if (lines.length === 0) return "{}";
  return `{\n${lines.join("")}${indent}}`;
}

/** JavaScript's largest safe integer is a default, not a real limit. */
function limitsOf({ format, minLength, maxLength, minimum, maximum }: Schema): string {
  const limits = [
    format,
    span(minLength, maxLength, " characters"),
    span(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, ""),
  ].filter(Boolean);
  return limits.length > 0 ? ` (${limits.join(", ")})` : "";
}

function span(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && Math.abs(least) !== Number.MAX_SAFE_INTEGER)
    return most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`;
  return most === undefined ? "" : `at most ${most}${unit}`;
}
