import { join } from "node:path";
import { expect, test } from "vitest";
import { engineNames } from "#contract/workspaces/engine-names.ts";
import { companionsIn } from "./export-files.ts";

const cost = { salt: "c2FsdA==", N: 2, r: 1, p: 1 };
/** Where each engine keeps its texts. */
const folders = { n8n: "n8n/copies", "node-red": "node-red" } as const;

const readme = (engine: (typeof engineNames)[number], language: "en" | "de") =>
  companionsIn(join(import.meta.dirname, folders[engine]))(cost, language).find(({ path }) => path === "README.txt")!.content;
/** What is the same in every language: commands and names of files. */
const commandsIn = (text: string) => text.match(/^ {4}.+$/gm);
const filesIn = (text: string) => new Set(text.match(/\b[\w.-]+\.(?:json|mjs)\b/g));

test.each(engineNames)("the instructions in an export from %s are in the owner's language, with the same commands and files", (engine) => {
  const [english, german] = [readme(engine, "en"), readme(engine, "de")];
  expect(english).toContain("Your credentials");
  expect(german).toContain("Ihre Zugangsdaten");
  expect(german).not.toMatch(/\b(?:your|the|with)\b/i);
  expect(commandsIn(german)).toEqual(commandsIn(english));
  expect(filesIn(german)).toEqual(filesIn(english));
});

test.each(engineNames)("an export from %s without credentials has its instructions alone", (engine) => {
  const folder = join(import.meta.dirname, folders[engine]);
  for (const [language, heading] of [
    ["en", /^Your /],
    ["de", /^Ihre /],
  ] as const)
    expect(companionsIn(folder)(null, language)).toEqual([{ path: "README.txt", content: expect.stringMatching(heading) }]);
});
