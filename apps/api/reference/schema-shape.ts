/** Schemas as the reference shows them: in the style of TypeScript, with links to named shapes. */
import { escapeHtml } from "#platform/http/escape-html.ts";
import { shapeName, type Schema } from "./api-document.ts";
import type { ReferenceWords } from "./reference-words.ts";

/** A text's anchor in the page. */
export const anchorOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

/** The contract's sentences mark names with backticks. */
export const prose = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");

type ShapeWords = Pick<ReferenceWords, "anything" | "listOf" | "mapOf" | "characters" | "atLeast" | "atMost" | "to">;

/** HTML of a schema; the lines after the first begin with `indent`. */
export function shapeOf(schema: Schema | undefined, words: ShapeWords, indent = ""): string {
  if (!schema) return words.anything;
  if (schema.$ref) {
    const name = shapeName(schema.$ref);
    return `<a href="#shape-${anchorOf(name)}">${escapeHtml(name)}</a>`;
  }
  const literals = schema.enum ?? ("const" in schema ? [schema.const] : undefined);
  if (literals) return literals.map((value) => escapeHtml(JSON.stringify(value))).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((each) => shapeOf(each, words, indent)).join(" | ");
  if (schema.type === "array") return `${words.listOf} ${shapeOf(schema.items, words, indent)}`;
  if (schema.properties) return objectShape(schema, words, indent);
  if (typeof schema.additionalProperties === "object") return `${words.mapOf} ${shapeOf(schema.additionalProperties, words, indent)}`;
  return (schema.type ?? words.anything) + limitsOf(schema, words);
}

function objectShape({ properties = {}, required = [] }: Schema, words: ShapeWords, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const note = schema.description ? ` <i>${prose(schema.description)}</i>` : "";
    return `${inner}${escapeHtml(name)}${required.includes(name) ? "" : "?"}: ${shapeOf(schema, words, inner)}${note}\n`;
  });
  if (lines.length === 0) return "{}";
  return `{\n${lines.join("")}${indent}}`;
}

/** JavaScript's largest safe integer is a default, not a real limit. */
function limitsOf({ format, minLength, maxLength, minimum, maximum }: Schema, words: ShapeWords): string {
  const limits = [
    format,
    span(words, minLength, maxLength, words.characters),
    span(words, minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum),
  ].filter(Boolean);
  return limits.length > 0 ? ` (${limits.join(", ")})` : "";
}

function span(words: ShapeWords, least: number | undefined, most: number | undefined, unit = ""): string {
  if (least !== undefined && Math.abs(least) !== Number.MAX_SAFE_INTEGER)
    return most === undefined ? `${words.atLeast} ${least}${unit}` : `${least} ${words.to} ${most}${unit}`;
  return most === undefined ? "" : `${words.atMost} ${most}${unit}`;
}
