/**
 * The API reference, from the OpenAPI document: one page with every call of the contract, examples of each, and every error code. It can
 * be read without scripts; with them (try-calls.js) calls can be found and sent.
 */
import type { Language } from "#contract/accounts/language.ts";
import { problems } from "#contract/api/problem.ts";
import { escapeHtml } from "#platform/http/escape-html.ts";
import { bodySchema, type ApiDocument, type Content, type Operation, type Schema, type Schemas } from "./api-document.ts";
import { callExample } from "./call-examples.ts";
import { colorCode } from "./color-code.ts";
import { referenceWords, type ReferenceWords } from "./reference-words.ts";
import { referenceStyle } from "./reference-style.ts";
import { anchorOf, prose, shapeOf } from "./schema-shape.ts";

interface Reader {
  language: Language;
  words: ReferenceWords;
  schemas: Schemas;
}

/**
 * Every call with its request and response shapes, grouped by tag; then the named shapes and the codes, each with an
 * anchor. `script` runs at the end.
 */
export function referencePage(
  { info, paths = {}, components = {} }: ApiDocument,
  script: string,
  language: Language,
  panelUrl = "",
): string {
  const schemas = components.schemas ?? {};
  const words = referenceWords[language];
  const reader: Reader = { language, words, schemas };
  const groups = new Map<string, Call[]>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags?.[0] ?? "Other";
      groups.set(tag, [...(groups.get(tag) ?? []), { method, path, operation }]);
    }
  }
  const sections: { id: string; title: string; html: string; calls?: readonly Call[] }[] = [
    ...inOrder(groups).map(([tag, calls]) => ({
      id: anchorOf(tag),
      title: words.tags[tag] ?? tag,
      html: `<div class="calls">${calls.map((call) => callEntry(call, reader)).join("")}</div>`,
      calls,
    })),
    {
      id: "shapes",
      title: words.shapes,
      html: Object.entries(schemas)
        .map((entry) => shapeEntry(entry, words))
        .join(""),
    },
    {
      id: "error-codes",
      title: words.errorCodes,
      html: codeTable(Object.entries(problems).map(([code, { status }]) => [code, String(status), words.errors[code] ?? ""])),
    },
    { id: "field-codes", title: words.fieldCodes, html: codeTable(Object.entries(words.fields)) },
  ];
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(info.title)}</title>
<style>${referenceStyle}</style>
<script>${theme}</script>
</head>
<body data-words="${escapeHtml(JSON.stringify(words.script))}" data-panel="${panelUrl}">
<header><div><a class="home" href="${panelUrl}/" aria-label="${words.home}">${mark}<b>Slipway</b></a><a href="${panelUrl}/dashboard">${words.dashboard}</a><a href="${panelUrl}/manage">${words.manage}</a><a href="${panelUrl}/help">${words.help}</a><a class="last" href="/api/openapi.json">openapi.json</a></div></header>
<div class="frame">
<nav aria-label="${words.sections}"><ul>${[{ id: "first-call", title: words.firstCall }, ...sections].map(navEntry).join("")}</ul></nav>
<main>
<h1>${escapeHtml(info.title)}</h1>
<p class="lead">${prose(words.lead)}</p>
${firstCall(words)}
<div class="find" hidden><p><label for="find">${words.find}</label><input id="find" type="search" placeholder="${words.findHint}" autocomplete="off"></p><div class="choice" role="group" aria-label="${words.examples}"><button type="button" data-examples="curl">curl</button><button type="button" data-examples="ts">TypeScript</button></div></div>
<p id="found-none" role="status" hidden>${words.findNone}</p>
${sections.map(({ id, title, html, calls }) => `<section id="${id}"${calls ? " data-calls" : ""}><h2>${escapeHtml(title)}</h2>${html}</section>`).join("\n")}
</main>
</div>
<script>${script}</script>
</body>
</html>
`;
}

/** The theme chosen in the panel (apps/web/src/lib/browser/theme.ts), before the first paint. Without storage it is the system's. */
const theme = `
try {
  const chosen = localStorage.getItem("slipway.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {}
`;

/** The menu lists calls by their addresses; what each does is in the list beside it. */
const navEntry = ({ id, title, calls }: { id: string; title: string; calls?: readonly Call[] }): string => {
  const list = calls?.map(
    ({ method, path }) =>
      `<li><a href="#${anchorOf(`${method}${path}`)}">${method.toUpperCase()} ${escapeHtml(path.replace("/api/", "/"))}</a></li>`,
  );
  return `<li><a href="#${id}">${escapeHtml(title)}</a>${list ? `<ul>${list.join("")}</ul>` : ""}</li>`;
};

/** `https://panel.example.com` becomes the reader's own panel, where there is a script. */
const firstCall = (words: ReferenceWords): string => `<section id="first-call"><h2>${words.firstCall}</h2>
<p>${words.signIn}</p>
${inBoth(firstInCurl, firstInTypeScript)}
<p>${words.refusals(
  (text) => `<a href="#error-codes">${text}</a>`,
  (text) => `<a href="#field-codes">${text}</a>`,
)}</p></section>`;

const firstInCurl = `SLIPWAY=https://panel.example.com
TOKEN=$(curl -s "$SLIPWAY/api/auth/login" -H "content-type: application/json" \\
  -d '{"login":"ada@example.com","password":"…"}' | jq -r .token)
curl "$SLIPWAY/api/instance" -H "authorization: Bearer $TOKEN"`;

const firstInTypeScript = `const slipway = "https://panel.example.com";
const signedIn = await fetch(\`\${slipway}/api/auth/login\`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({"login":"ada@example.com","password":"…"}),
});
const { token } = await signedIn.json();
const answer = await fetch(\`\${slipway}/api/instance\`, { headers: { authorization: \`Bearer \${token}\` } });`;

/** An example in both languages; the script shows one of them. */
const inBoth = (curl: string, typescript: string): string =>
  `<div class="curl"><h3>curl</h3><pre tabindex="0" data-copy>${colorCode(curl, "bash")}</pre></div>` +
  `<div class="ts"><h3>TypeScript</h3><pre tabindex="0" data-copy>${colorCode(typescript, "typescript")}</pre></div>`;

/** What most readers come for, first; anything else last. */
const firstGroups = [
  "Workspace",
  "Export",
  "Invitations",
  "Account",
  "Sessions",
  "Credentials",
  "Sign-up",
  "Plans",
  "Billing",
  "Node catalogue",
];

function inOrder(groups: ReadonlyMap<string, Call[]>): [string, Call[]][] {
  const placeOf = (tag: string) => (firstGroups.includes(tag) ? firstGroups.indexOf(tag) : firstGroups.length);
  return [...groups].toSorted(([one], [other]) => placeOf(one) - placeOf(other));
}

interface Call {
  method: string;
  path: string;
  operation: Operation;
}

/** What describes a call or a parameter, in the reader's language; where there is only the English text, marked as English. */
function described(text: string, { language, words }: Reader): string {
  const translated = words.descriptions[text];
  const isForeign = language !== "en" && translated === undefined;
  return `<span${isForeign ? ' lang="en"' : ""}>${prose(translated ?? text)}</span>`;
}

function callEntry({ method, path, operation }: Call, reader: Reader): string {
  const { words, schemas } = reader;
  const { summary = "", security, parameters = [], requestBody, responses = {} } = operation;
  const { default: refused, ...answers } = responses;
  const example = callExample(method, path, operation, schemas);
  const call = {
    method: method.toUpperCase(),
    path,
    headers: example.headers,
    body: example.body,
    parameters: parameters.map(({ name, in: place, required = false }) => ({ name, place, required })),
  };
  const codes = (refused?.description ?? "").replace("One of: ", "").split(/,\s*/).filter(Boolean);
  const what = [
    security ? `<p>${words.needsSession}</p>` : "",
    ...parameters.map(
      ({ name, in: place, required, schema, description }) =>
        `<p><code>${escapeHtml(name)}</code> ${words.inThe(place)}${required ? "" : words.optional}: ${shapeOf(schema, words)}${description ? ` ${described(description, reader)}` : ""}</p>`,
    ),
    ...(requestBody ? contents(words.body, words, requestBody) : []),
    ...Object.entries(answers).flatMap(([status, answer]) => contents(words.answer(status), words, answer)),
    ...(codes.length > 0 ? [`<h3>${words.refusedWith}</h3><p class="codes">${codes.map(codeLink).join("")}</p>`] : []),
  ];
  return `<details id="${anchorOf(`${method}${path}`)}" data-call="${escapeHtml(JSON.stringify(call))}"><summary><b class="${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code> ${described(summary, reader)}</summary><div class="call"><div>${what.join("")}</div><div class="how">${inBoth(example.curl, example.typescript)}</div></div></details>`;
}

const codeLink = (code: string): string => (code in problems ? `<a href="#${code}">${code}</a>` : `<span>${escapeHtml(code)}</span>`);

function contents(title: string, words: ReferenceWords, content?: Content): string[] {
  const schema = bodySchema(content);
  return [`<h3>${title}</h3>${schema ? `<pre tabindex="0">${shapeOf(schema, words)}</pre>` : `<p>${words.empty}</p>`}`];
}

const shapeEntry = ([name, schema]: [string, Schema], words: ReferenceWords): string =>
  `<h3 id="shape-${anchorOf(name)}">${escapeHtml(name)}</h3><pre tabindex="0">${shapeOf(schema, words)}</pre>`;

const codeTable = (rows: string[][]): string =>
  `<table>${rows.map(([code = "", ...cells]) => `<tr id="${code}"><th scope="row"><code>${code}</code></th>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`).join("")}</table>`;

const mark =
  '<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0b5c68"/><path d="M8 10.5h14.2c.9 0 1.5.9 1.1 1.7l-1.6 3.4a3 3 0 0 1-2.7 1.7h-6.4c-1 0-1.9-.5-2.4-1.3L7.3 11.9c-.4-.6 0-1.4.7-1.4Z" fill="#fff" transform="rotate(14 16 14)"/><path d="M5 19.2 27 25" stroke="#7fe3e4" stroke-width="2.6" stroke-linecap="round"/></svg>';
