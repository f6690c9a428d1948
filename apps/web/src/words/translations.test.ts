/** Checks of the translations that the compiler cannot make: it only ensures that each has at least the keys of the English words. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { trialDays } from "#contract/billing/plans/plan-days.ts";
import { languages } from "#contract/accounts/language.ts";
import { textsIn } from "#testing/content/texts-in.ts";
import { enHelp } from "../features/help/answers.ts";
import { helpSections } from "../features/help/spoken-answers.ts";
import { formatPrice } from "../features/billing/format-price.ts";
import { t as usageText } from "../features/usage/words.ts";
import { t as workspaceText } from "../features/workspace/words.ts";
import { ApiError } from "../lib/api/api-error.ts";
import { errorWords } from "../lib/errors/error-words.ts";
import { fieldMessage } from "../lib/errors/field-message.ts";
import { dateFormat, numberFormat } from "../lib/formats.ts";
import { stretch } from "./pseudo.ts";
import { said } from "./sentences.ts";
import { catalogues, speak, spokenLanguage } from "./spoken.ts";
import { wordsOf } from "./words-of.ts";

const others = languages.filter((language) => language !== "en");
const modules = import.meta.glob(["../{features,layouts,lib,pages}/**/*words.ts", "./frame.ts"], { eager: true });
const translationFiles = import.meta.glob<Record<string, unknown>>("../**/*.de.ts", { eager: true });

beforeAll(() => speak("de"));
afterAll(() => speak("en"));

test("every catalogue has its words in every other language, and no two have a part of the same name", async () => {
  expect(Object.keys(modules).length).toBeGreaterThan(20);
  const named = new Map<string, object>();
  for (const [translations, english] of catalogues) {
    for (const language of others) {
      const { default: words } = await translations[language]();
      // The frame's words are in each catalogue, and translated once; one file can translate several catalogues.
      const own = Object.keys(words).filter((name) => name in english);
      expect(own.length, Object.keys(english).join(" ")).toBeGreaterThan(0);
      for (const name of own) {
        const part = (english as Record<string, object>)[name]!;
        expect(named.get(name) ?? part, name).toBe(part);
        named.set(name, part);
        const keys = textsIn(part).map(([key]) => key);
        const translatedKeys = textsIn(words[name]!).map(([key]) => key);
        expect(translatedKeys).toEqual(expect.arrayContaining(keys));
        // In English, an error without a sentence reads as the title of the API's answer.
        const isTitle = (key: string) => name.endsWith("Errors") && key.endsWith(".sentence");
        expect(translatedKeys.filter((key) => !keys.includes(key) && !isTitle(key))).toEqual([]);
      }
    }
  }
  for (const english of catalogues.values()) expect(Object.keys(english).filter((name) => !named.has(name))).toEqual([]);
  const translated = Object.values(translationFiles).flatMap((file) => Object.keys((file["default"] as object | undefined) ?? {}));
  expect(translated.filter((name) => !named.has(name))).toEqual([]);
});

test("a translation has the same values in each text, none is empty, and few are the English text itself", async () => {
  const same: string[] = [];
  for (const [translations, english] of catalogues) {
    const { default: words } = await translations.de();
    for (const [name, part] of Object.entries(english as Record<string, object>).filter(([key]) => key in words)) {
      const german = new Map(textsIn(words[name]!));
      for (const [key, text] of german) expect(text.trim(), `${name}${key}`).not.toBe("");
      for (const [key, text] of textsIn(part)) {
        const other = german.get(key);
        expect(valuesIn(other ?? ""), `${name}${key}`).toEqual(valuesIn(text));
        const said = text.replaceAll(/\{\{\w+\}\}/g, "").trim();
        if (other === text && /\p{L}{3}/u.test(said) && said.includes(" ")) same.push(`${name}${key}: ${text}`);
      }
    }
  }
  expect(same.filter((line) => !/^product\.|\.brands\.|\.placeholder/.test(line))).toEqual([]);
});

test("German is addressed as Sie, writes its quotation marks, and has no leftover English", async () => {
  const files = Object.entries(translationFiles).flatMap(([path, file]) => textsIn(file).map(([key, text]) => `${path} ${key}: ${text}`));
  expect(files.length).toBeGreaterThan(900);
  expect(files.filter((line) => /\b([Dd]u|[Dd]ein\w*|[Dd]ich|[Dd]ir)\b/.test(line))).toEqual([]);
  expect(files.filter((line) => /“[^“”„]*”/.test(line))).toEqual([]);
  expect(files.filter((line) => /: .*\b(the|your|and|with|could)\b/.test(line))).toEqual([]);
});

test("a page that is fetched while the language changes has its words when it is drawn again", async () => {
  await speak("en");
  const changing = speak("de");
  const late = Promise.withResolvers<{ default: { lateOnes: { hello: string } } }>();
  const say = wordsOf({ lateOnes: { hello: "Hello" } }, { de: () => late.promise });
  const drawn: string[] = [];
  const stop = spokenLanguage.subscribe(() => drawn.push(say("lateOnes.hello")));
  setTimeout(() => late.resolve({ default: { lateOnes: { hello: "Guten Tag" } } }), 20);
  await changing;
  stop();
  expect(drawn).toEqual(["Guten Tag"]);
});

test("plurals, numbers, prices and days follow the language", () => {
  expect(workspaceText("workspace.trialLeft", { count: 1 })).toBe("Noch 1 Tag Testphase");
  expect(workspaceText("workspace.trialLeft", { count: trialDays })).toBe(`Noch ${trialDays} Tage Testphase`);
  expect(numberFormat().format(2500)).toBe("2.500");
  expect(usageText("usage.chart.label", { count: numberFormat().format(1000), failed: "0" })).toContain("1.000 Ausführungen in");
  expect(formatPrice({ amount: 6000, currency: "EUR" }).replaceAll("\u00a0", " ")).toBe("60 €");
  expect(formatPrice({ amount: 6050, currency: "USD" }).replaceAll("\u00a0", " ")).toBe("60,50 $");
  expect(dateFormat({ dateStyle: "long", timeZone: "UTC" }).format(new Date("2026-11-23T12:00:00Z"))).toBe("23. November 2026");
});

test("errors, fields and help answers are read in the language too, and back in English after another choice", async () => {
  const expired = new ApiError("session_expired", 401, { title: "Session expired" });
  expect(errorWords(expired).sentence).toBe("Sitzung abgelaufen");
  expect(fieldMessage("email.required")).toBe("Geben Sie Ihre E-Mail-Adresse ein.");
  expect(helpSections().map(({ items }) => items.map(({ id }) => id))).toEqual(enHelp.map(({ items }) => items.map(({ id }) => id)));
  await speak("en");
  expect(errorWords(expired).sentence).toBe("Session expired");
  expect(helpSections()[0]!.title).toBe(enHelp[0]!.title);
  expect(workspaceText("workspace.trialLeft", { count: 2 })).toBe("2 days left in trial");
  expect(formatPrice({ amount: 6000, currency: "EUR" })).toBe("€60");
});

test("sentences in the service's rows are translated, and a workspace's own words stay unchanged", async () => {
  await speak("de");
  expect(said("n8n 2.40.7 was started.")).toBe("n8n 2.40.7 wurde gestartet.");
  expect(said("Anything else.")).toBe("Anything else.");
  await speak("en");
  expect(said("n8n 2.40.7 was started.")).toBe("n8n 2.40.7 was started.");
});

test("the stretched language is 40 % longer, marked at both ends, and keeps values", () => {
  const text = "Everything keeps working until {{date}}. You can undo this until then.";
  expect(stretch(text)).toContain("{{date}}");
  expect(stretch(text)).toMatch(/^⟦.*⟧$/u);
  expect(stretch(text).length / text.length).toBeGreaterThan(1.3);
  expect(stretch(text).length / text.length).toBeLessThan(1.6);
});

const valuesIn = (text: string): string[] => [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!))].toSorted();
