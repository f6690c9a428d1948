/** The reference's page as readers get it: in their language, with examples in colour. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMovableClock, systemClock } from "#platform/clock.ts";
import { createSandboxApi, type SandboxApi } from "#testing/payments/sandbox-api.ts";
import type { ApiDocument } from "./api-document.ts";
import { germanCallDescriptions } from "./call-descriptions.de.ts";
import { colorCode } from "./color-code.ts";
import { referencePage } from "./reference-page.ts";
import { referenceWords } from "./reference-words.ts";
import { prose } from "./schema-shape.ts";

let api: SandboxApi;
/** What describes each call and parameter of the API, in English. */
let descriptions: string[];
beforeAll(async () => {
  // The developer bar's calls exist only if the clock can be moved.
  api = await createSandboxApi({ timeTravel: { clock: createMovableClock(systemClock), dueWork: [], wake: () => undefined } });
  const { paths = {} } = (await api.call("GET", "/api/openapi.json")).json() as ApiDocument;
  const operations = Object.values(paths).flatMap((each) => Object.values(each));
  const texts = operations.flatMap(({ summary = "", parameters = [] }) => [summary, ...parameters.map((each) => each.description ?? "")]);
  descriptions = [...new Set(texts)].filter(Boolean);
});
afterAll(() => api[Symbol.asyncDispose]());

const page = async (headers: Record<string, string>) => (await api.call("GET", "/api/docs", { headers })).body;

test.each([
  [{}, "en"],
  [{ "accept-language": "de-AT,en;q=0.5" }, "de"],
  [{ "accept-language": "de", cookie: "language=en" }, "en"],
  [{ "accept-language": "fr", cookie: "language=de" }, "de"],
] as [Record<string, string>, "en" | "de"][])("a reader with %j reads it in %s", async (headers, language) => {
  const html = await page(headers);
  const words = referenceWords[language];
  expect(html).toContain(`<html lang="${language}">`);
  for (const text of [words.firstCall, words.find, words.refusedWith, words.errorCodes, words.errors["invalid_credentials"]!])
    expect(html).toContain(text);
});

test("a cache keeps the languages apart", async () => {
  const { headers } = await api.call("GET", "/api/docs");
  expect(String(headers["vary"]).split(/, ?/)).toEqual(expect.arrayContaining(["accept-encoding", "accept-language", "cookie"]));
});

test("in German the page and what describes each call are German; the notes in shapes stay as they are", async () => {
  const html = await page({ "accept-language": "de" });
  for (const text of ["First call", "Find a call", "Refused with", "Needs a session", "Response 200", "Try it"])
    expect(html).not.toContain(text);
  expect(Object.values(germanCallDescriptions).filter((text) => !html.includes(`<span>${prose(text)}</span>`))).toEqual([]);
  const withoutNotes = html.replaceAll(/<i>.*?<\/i>/g, "");
  expect(descriptions.filter((text) => withoutNotes.includes(prose(text)))).toEqual([]);
  expect(html).not.toContain('lang="en"');
  const { tags } = referenceWords.de;
  const sections = [...html.matchAll(/<section id="[^"]*" data-calls><h2>([^<]*)<\/h2>/g)].map(([, title]) => title);
  expect(sections.length).toBeGreaterThan(8);
  expect(sections.filter((title) => !Object.values(tags).includes(title!))).toEqual([]);
  const notesIn = (text: string) => [...text.matchAll(/<i>.*?<\/i>/g)].map(([note]) => note);
  expect(notesIn(html).length).toBeGreaterThan(50);
  expect(notesIn(html)).toEqual(notesIn(await page({})));
});

test("every call and every described parameter has a German text, and the list has no others", () => {
  expect(descriptions.length).toBeGreaterThan(100);
  expect(descriptions.filter((text) => !(text in germanCallDescriptions))).toEqual([]);
  expect(Object.keys(germanCallDescriptions).filter((text) => !descriptions.includes(text))).toEqual([]);
});

test("a German text has the names and numbers of the English one, and no English left in it", () => {
  const factsIn = (text: string) => (text.match(/`[^`]+`|\d+/g) ?? []).toSorted();
  for (const [english, german] of Object.entries(germanCallDescriptions)) {
    expect(factsIn(german), english).toEqual(factsIn(english));
    expect(german).not.toMatch(/\b(the|your|and|with|of|is)\b/);
  }
});

test("a call without a German text is described in English, marked as English", () => {
  const operation = { tags: ["Service"], summary: "Does a <new> thing with `x`" };
  const document = { info: { title: "Slipway API" }, paths: { "/api/new": { get: operation } } };
  const text = "Does a &lt;new&gt; thing with <code>x</code></span>";
  expect(referencePage(document, "", "de")).toContain(`<span lang="en">${text}`);
  expect(referencePage(document, "", "en")).toContain(`<span>${text}`);
});

test("examples are in colour, say what they said before, and stay escaped", () => {
  const text = `curl "$SLIPWAY/api" -d '{"a":"<b>"}'`;
  const html = colorCode(text, "bash");
  expect(html).toContain('<span class="c-variable">$SLIPWAY</span>');
  expect(html).not.toContain("<b>");
  const plain = html.replaceAll(/<[^>]*>/g, "");
  expect(plain.replaceAll("&quot;", '"').replaceAll("&#x27;", "'").replaceAll("&lt;", "<").replaceAll("&gt;", ">")).toBe(text);
  expect(colorCode("const a = await fetch(`${b}/c`);", "typescript")).toContain('<span class="c-keyword">await</span>');
});
