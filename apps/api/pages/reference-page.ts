/** The API reference, from the OpenAPI document: one page without scripts, with every call of the contract and every error code. */
import { fieldWords } from "#contract/api/field-words.ts";
import { problems } from "#contract/api/problem.ts";
import { escapeHtml } from "../../gateway/refusals/refusal-page.ts";

/** The parts of JSON Schema that the contract's schemas use. */
interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  description?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

type Content = { content?: Record<string, { schema?: Schema }>; description?: string };

interface Operation {
  summary?: string;
  tags?: string[];
  security?: unknown[];
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema; description?: string }[];
  requestBody?: Content;
  responses?: Record<string, Content>;
}

export interface ApiDocument {
  info: { title: string; description?: string };
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

/** Every call with its request and response shapes, grouped by tag; then the named shapes and the codes, each with an anchor. */
export function referencePage({ info, paths = {}, components = {} }: ApiDocument): string {
  const groups = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags?.[0] ?? "Other";
      groups.set(tag, [...(groups.get(tag) ?? []), callEntry(method, path, operation)]);
    }
  }
  const sections = [
    ...[...groups].map(([tag, entries]) => ({ id: anchorOf(tag), title: tag, html: entries.join("") })),
    {
      id: "shapes",
      title: "Shapes",
      html: Object.entries(components.schemas ?? {})
        .map(shapeEntry)
        .join(""),
    },
    {
      id: "error-codes",
      title: "Error codes",
      html: codeTable(Object.entries(problems).map(([code, { status, title }]) => [code, String(status), title])),
    },
    { id: "field-codes", title: "Field codes", html: codeTable(Object.entries(fieldWords)) },
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(info.title)}</title>
<style>${style}</style>
</head>
<body>
<header><a href="/" aria-label="Slipway home">${mark}<b>Slipway</b></a><a href="/api/openapi.json">openapi.json</a></header>
<div class="frame">
<nav aria-label="Sections"><ul>${sections.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`).join("")}</ul></nav>
<main>
<h1>${escapeHtml(info.title)}</h1>
<p>${prose(info.description ?? "")}</p>
${sections.map(({ id, title, html }) => `<section id="${id}"><h2>${escapeHtml(title)}</h2>${html}</section>`).join("\n")}
</main>
</div>
</body>
</html>
`;
}

function callEntry(
  method: string,
  path: string,
  { summary = "", security, parameters = [], requestBody, responses = {} }: Operation,
): string {
  const { default: refused, ...answers } = responses;
  const parts = [
    security ? "<p>Needs a session: the <code>token</code> cookie, or <code>Authorization: Bearer</code>.</p>" : "",
    ...parameters.map(
      ({ name, in: place, required, schema, description = "" }) =>
        `<p><code>${escapeHtml(name)}</code> in the ${place}${required ? "" : ", optional"}: ${shapeOf(schema)} ${prose(description)}</p>`,
    ),
    ...contents("Body", requestBody),
    ...Object.entries(answers).flatMap(([status, answer]) => contents(`Answer ${status}`, answer)),
    `<p>Refused with: ${escapeHtml((refused?.description ?? "").replace("One of: ", "")).replaceAll(/\w+/g, (code) => (code in problems ? `<a href="#${code}">${code}</a>` : code))}</p>`,
  ];
  return `<details id="${anchorOf(`${method}${path}`)}"><summary><b>${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code> <span>${prose(summary)}</span></summary>${parts.join("")}</details>`;
}

function contents(title: string, { content }: Content = {}): string[] {
  const schema = Object.values(content ?? {})[0]?.schema;
  return [`<h3>${title}</h3>${schema ? `<pre tabindex="0">${shapeOf(schema)}</pre>` : "<p>Empty.</p>"}`];
}

const shapeEntry = ([name, schema]: [string, Schema]): string =>
  `<h3 id="shape-${anchorOf(name)}">${escapeHtml(name)}</h3><pre tabindex="0">${shapeOf(schema)}</pre>`;

/** A schema in the style of TypeScript, with links to named shapes. */
function shapeOf(schema: Schema | undefined, indent = ""): string {
  if (!schema) return "anything";
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1)!;
    return `<a href="#shape-${anchorOf(name)}">${escapeHtml(name)}</a>`;
  }
  const literals = schema.enum ?? ("const" in schema ? [schema.const] : undefined);
  if (literals) return literals.map((value) => escapeHtml(JSON.stringify(value))).join(" | ");
  if (schema.anyOf) return schema.anyOf.map((each) => shapeOf(each, indent)).join(" | ");
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

/** The contract's sentences mark names with backticks. */
const prose = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");

const codeTable = (rows: string[][]): string =>
  `<table>${rows.map(([code = "", ...cells]) => `<tr id="${code}"><th scope="row"><code>${code}</code></th>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`).join("")}</table>`;

const anchorOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

const mark =
  '<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0b5c68"/><path d="M8 10.5h14.2c.9 0 1.5.9 1.1 1.7l-1.6 3.4a3 3 0 0 1-2.7 1.7h-6.4c-1 0-1.9-.5-2.4-1.3L7.3 11.9c-.4-.6 0-1.4.7-1.4Z" fill="#fff" transform="rotate(14 16 14)"/><path d="M5 19.2 27 25" stroke="#7fe3e4" stroke-width="2.6" stroke-linecap="round"/></svg>';

/** The panel's colours (apps/web/src/app.css), light and dark. */
const style = `
:root{color-scheme:light dark;--canvas:light-dark(#f4f7f7,#0b1416);--surface:light-dark(#fff,#111d20);--sunken:light-dark(#ecf1f1,#0d181a);--line:light-dark(#d9e2e2,#25373b);--ink:light-dark(#0d2024,#e8f0f0);--soft:light-dark(#46595d,#a5b8bb);--accent:light-dark(#0b5c68,#5ccbd0)}
*{box-sizing:border-box}
body{margin:0;background:var(--canvas);color:var(--ink);font:15px/1.5 "Inter Variable",ui-sans-serif,system-ui,sans-serif}
a{color:var(--accent);text-underline-offset:3px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
header{display:flex;justify-content:space-between;align-items:center;padding:12px 24px;background:var(--surface);border-bottom:1px solid var(--line)}
header a:first-child{display:flex;gap:10px;align-items:center;color:inherit;text-decoration:none}
.frame{max-width:1152px;margin:0 auto;padding:24px;display:grid;gap:32px;grid-template-columns:176px minmax(0,1fr)}
nav ul{position:sticky;top:24px;margin:0;padding:0;list-style:none}
nav a{display:block;padding:6px 0;text-decoration:none}
h1{margin:0;font-size:24px}
h2{margin:32px 0 12px;font-size:18px}
h3{margin:16px 0 4px;font-size:14px}
p{margin:8px 0}
code,pre{font:13px/1.5 ui-monospace,Menlo,monospace}
pre{margin:0;padding:12px;overflow-x:auto;background:var(--sunken);border-radius:8px}
pre i{color:var(--soft)}
details{margin:0 0 8px;padding:0 16px;background:var(--surface);border:1px solid var(--line);border-radius:10px}
details[open]{padding-bottom:16px}
summary{padding:10px 0;cursor:pointer;overflow-wrap:anywhere}
summary b{display:inline-block;min-width:56px;font-size:13px;color:var(--accent)}
summary span{color:var(--soft)}
table{width:100%;border-collapse:collapse;background:var(--surface);border:1px solid var(--line)}
th,td{padding:8px 12px;border-top:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:anywhere}
tr:target{background:var(--sunken)}
@media (max-width:800px){.frame{grid-template-columns:minmax(0,1fr);gap:16px;padding:16px}header{padding:12px 16px}nav ul{display:flex;flex-wrap:wrap;gap:0 16px;position:static}th,td{padding:8px 6px}}
`;
