import { expect, test } from "vitest";
import { germanSentences } from "./german.ts";
import { germanFor, inGerman } from "./in-german.ts";
import { inARow, say } from "./say.ts";
import { sentences } from "./sentences.ts";

/** A fact of the form that a sentence gets, and as a German reader sees it. */
const facts: Readonly<Record<string, [written: string, german: string]>> = {
  reason: [sentences.failedNoRoom, germanSentences.failedNoRoom],
  count: ["12,500", "12.500"],
  before: ["2.38.7", "2.38.7"],
  day: ["3 December 2026", "3. Dezember 2026"],
  line: ["Pro, monthly", "Pro, monatlich"],
  gets: ["1,000 days", "1.000 Tage"],
  had: ["unlimited", "unbegrenzt"],
  feature: ["Admin roles", "Admin-Rollen"],
  version: ["2.40.7", "2.40.7"],
};

test.each(Object.keys(sentences) as (keyof typeof sentences)[])("“%s” is found by its text and read in German with its facts", (key) => {
  const fill = (text: string, which: 0 | 1) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_mark, name: string) => (facts[name] ?? [name, name])[which]);
  expect(inGerman(fill(sentences[key], 0))).toBe(fill(germanSentences[key], 1));
});

test("a sentence and its German have the same facts", () => {
  const namesIn = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].toSorted();
  for (const [key, text] of Object.entries(sentences))
    expect(namesIn(germanSentences[key as keyof typeof sentences]), key).toEqual(namesIn(text));
});

test("sentences within others, and several in a row, are all translated", () => {
  const why = say("versionNotStarted", { engine: "Node-RED", version: "4.1.0" });
  expect(inGerman(say("staysAsBefore", { reason: why, engine: "Node-RED", version: "4.0.9" }))).toBe(
    "Node-RED 4.1.0 ist nicht gestartet. Ihr Workspace bleibt bei Node-RED 4.0.9, wie er vorher war.",
  );
  const changes = inARow([
    say("timezoneChanged", { from: "Etc/UTC", to: "Europe/Berlin" }),
    say("executionsKept", { count: 2_500, before: 100 }),
    say("automaticUpdatesOn"),
  ]);
  expect(changes).toBe(
    "The timezone was changed from Etc/UTC to Europe/Berlin. 2,500 executions are kept instead of 100. Automatic updates were switched on.",
  );
  expect(inGerman(changes)).toBe(
    "Die Zeitzone wurde von Etc/UTC auf Europe/Berlin geändert. 2.500 Ausführungen werden aufbewahrt, vorher waren es 100. Automatische Updates wurden eingeschaltet.",
  );
});

test("lines in Stripe's own words are read in German, too", () => {
  expect(inGerman("1 × Pro (at $60.00 / month)")).toBe("1 × Pro (zu $60.00 / Monat)");
  expect(inGerman("Unused time on Starter after 21 Nov 2026")).toBe("Nicht genutzte Zeit von Starter nach dem 21. November 2026");
});

/** Milliseconds of processor time: the machine may be busy. */
const msSince = (before: NodeJS.CpuUsage) => process.cpuUsage(before).user / 1_000;

test("an unknown text stays as it is, even if half of it is known, and a long one ends the search", () => {
  const odd = "The timezone was changed from A to B. Somebody wrote this.";
  expect(germanFor(odd)).toBeUndefined();
  expect(inGerman(odd)).toBe(odd);
  const long = `${"a b ".repeat(200_000)}was started.`;
  const repeated = `${"We'll try again automatically. ".repeat(60)}And so on.`;
  const before = process.cpuUsage();
  expect(inGerman(long)).toBe(long);
  expect(inGerman(repeated)).toBe(repeated);
  expect(msSince(before)).toBeLessThan(2_000);
});

test("a text designed to slow the search, such as names of nodes reported by a workspace, takes no time", () => {
  const words = "a ".repeat(480);
  const ends = "b. ".repeat(280);
  const texts = [
    say("nodesHeldBack", { nodes: `${words}a. ${ends}b`, engine: "n8n" }),
    `${" ×".repeat(330)}${" (at".repeat(160)}${" /".repeat(330)} x`,
    `1${" × b (at c".repeat(90)}${" / d".repeat(200)}`,
    `a is not part of${" b is not part of".repeat(110)}`,
  ];
  const before = process.cpuUsage();
  for (const text of texts) expect(inGerman(text)).toBe(text);
  expect(msSince(before)).toBeLessThan(1_000);
});

test("a workspace's answer may be several sentences, and stays unchanged", () => {
  const refused = say("invitationRefused", { answer: "The limit is reached. Buy 2 more seats" });
  expect(inGerman(say("triedAgain", { reason: refused }))).toBe(
    "Der Workspace hat abgelehnt: The limit is reached. Buy 2 more seats. Wir versuchen es automatisch noch einmal.",
  );
});

test("a German text has no English left in it, and says Sie", () => {
  for (const [key, text] of Object.entries(germanSentences)) {
    expect(text, key).not.toMatch(/\b(the|your|and|with|could|is)\b/);
    expect(text, key).not.toMatch(/\b([Dd]u|[Dd]ein\w*|[Dd]ich|[Dd]ir)\b/);
  }
});
