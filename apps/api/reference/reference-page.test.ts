/** The reference's page as readers get it: in their language, with examples in colour. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApi, type TestApi } from "#testing/test-api.ts";
import { colorCode } from "./color-code.ts";
import { referenceWords } from "./reference-words.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
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

test("in German only what describes a call is in English, and is marked so", async () => {
  const html = await page({ "accept-language": "de" });
  for (const text of ["First call", "Find a call", "Refused with", "Needs a session", "Answer 200", "Try it"])
    expect(html).not.toContain(text);
  expect(html).toContain('<span lang="en">The signed-in user with account and instance</span>');
  const { tags } = referenceWords.de;
  const sections = [...html.matchAll(/<section id="[^"]*" data-calls><h2>([^<]*)<\/h2>/g)].map(([, title]) => title);
  expect(sections.length).toBeGreaterThan(8);
  expect(sections.filter((title) => !Object.values(tags).includes(title!))).toEqual([]);
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
