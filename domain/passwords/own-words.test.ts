import { expect, test } from "vitest";
import { isHardlyMoreThan, serviceWords } from "./own-words.ts";

const names = [
  "acme-labs",
  "ada.byron@lovelace-works.example",
  "ada.byron",
  "Ñandú O'Neill Łuk de la Cruz",
  "李小龍",
  "panel.operator.example",
  ...serviceWords,
];

test.each([
  // The word itself, in any spelling.
  "acme-labs",
  "AcmeLabs",
  "ACME LABS",
  "acme labs",
  "@cme-l4b5",
  "acme_labs",
  "ada.byron@lovelace-works.example",
  "ADA.BYRON",
  "adabyron",
  "byron.ada",
  "lovelace",
  "lovelace-works",
  "Nandu O'Neill",
  "oneill-cruz",
  "panel.operator.example",
  // With a year, punctuation or some digits, before and after.
  "Slipway1",
  "Slipway!",
  "slipway2024",
  "Slipway2024!",
  "2024slipway!",
  "slipway-2024!",
  "slipway131290",
  "sl1pw4y",
  "5L|PW@Y1",
  "s1ipway!",
  "n8n-2024",
  "n8n12345",
  "123n8n45",
  "Node-RED",
  "nodered99",
  "node-red-1",
  "李小龍12345",
  // Several words, and repeated ones.
  "acmeacme",
  "slipway-acme",
  "n8nn8nn8n",
  "AdaByron-Slipway",
  "byronbyronbyronbyron",
  "admin-n8n",
  "owner-workspace-1",
])("%s is hardly more than such a word", (password) => {
  expect(isHardlyMoreThan(password, names)).toBe(true);
});

test.each([
  "correct horse battery slipway",
  "slipway correct horse",
  "my slipway",
  "slipways",
  "slipway x1",
  "ada's dog Rex",
  "acme labs rocks",
  "lovelace is late",
  // More additional characters than an attacker tries.
  "slipway8392017",
  "n8n 8392 017",
  "20240131-ada",
  "slipway-😀",
  // Such a word inside others, and words too short to count.
  "adamantine",
  "canadaaa",
  "lala-dede",
  "de la de la",
  "cruzadero",
  "panelling1",
  "90817263",
  "       8",
  "😀😀😀😀😀😀😀😀",
  "1".repeat(64),
  "pässwörd",
  "李小",
  "....----",
])("%s is more", (password) => {
  expect(isHardlyMoreThan(password, names)).toBe(false);
});

test("without names, or with names without letters, nothing is refused", () => {
  expect(isHardlyMoreThan("slipway1", [])).toBe(false);
  expect(isHardlyMoreThan("--------", ["", " ", "-", "..", "--"])).toBe(false);
});

test("the longest possible names and password take no noticeable time", () => {
  const long = ["a".repeat(120), "ab ".repeat(40), `${"a.".repeat(120)}@example.com`];
  const before = process.cpuUsage();
  for (let times = 0; times < 100; times += 1) isHardlyMoreThan("ﷺ".repeat(32) + "a".repeat(32), long);
  // In milliseconds of processor time: the machine may be busy.
  expect(process.cpuUsage(before).user / 1_000 / 100).toBeLessThan(50);
});
