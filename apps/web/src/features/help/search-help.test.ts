import { expect, test } from "vitest";
import { enHelp } from "./answers.ts";
import { placeWords } from "../manage/words.ts";
import { workspaceStateWords } from "../workspace/state/words.ts";
import { closestHelp, markFound, searchHelp } from "./search-help.ts";

const all = enHelp.flatMap(({ items }) => items.map(({ id }) => id));
const find = (query: string) => searchHelp(enHelp, query).map(({ id }) => id);

test("every answer has its own URL of plain letters", () => {
  expect(new Set(all).size).toBe(all.length);
  expect(all.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
});

test("without a query every answer is listed in its order", () => {
  expect(find("")).toEqual(all);
  expect(find("  ?! ")).toEqual(all);
});

test("every answer is the first result for its own question", () => {
  for (const { id, question } of enHelp.flatMap(({ items }) => [...items])) expect(find(question)[0], question).toBe(id);
});

test.each([
  ["CONFIRMATION expired", "link-expired"],
  ["timez", "timezone"],
  ["webhook restart", "restart"],
  ["forgot", "forgot-password"],
  ["offline log in", "log-in-while-offline"],
  ["backup", "backups"],
  ["back up", "backups"],
  ["How do I restore a backup?", "restore-backup"],
  ["downgrade version", "update-back"],
  ["cron", "timezone"],
  ["receipt", "invoices"],
  ["teammates", "invite"],
  ["rollback", "update-back"],
  ["download workflows", "export"],
  ["url", "workspace"],
  ["billing", "invoices"],
  ["pricing", "change-plan"],
  ["coworkers", "invite"],
  ["refund", "cancel"],
  ["login", "forgot-password"],
  ["env var", "environment-variables"],
  ["api keys", "environment-variables"],
  ["dark mode", "language"],
  ["unsubscribe", "emails"],
  ["openapi", "api"],
  ["cpu usage", "slow"],
])("%j finds the answer %s", (query, id) => expect(find(query)).toContain(id));

test("everyday words find the answer, however they are spelled", () => {
  for (const { id, also } of enHelp.flatMap(({ items }) => [...items]))
    for (const word of also.split(" ")) expect(find(word), word).toContain(id);
  expect(enHelp.flatMap(({ items }) => items.map(({ also }) => also)).filter((also) => also !== also.toLowerCase())).toEqual([]);
});

test.each([
  ["invioces", "invoices"],
  ["pasword", "forgot-password"],
  ["passwort", "forgot-password"],
  ["restarting", "restart"],
  ["timezome", "timezone"],
  ["teammatse", "invite"],
  ["worksapce ofline", "offline"],
  ["canceling", "cancel"],
])("mistyped or with another ending, %j still finds the answer %s", (query, id) => expect(find(query)).toContain(id));

test("short words are not taken for others, and what is typed right comes first", () => {
  expect(find("ulr")).toEqual([]);
  expect(find("restart")[0]).toBe("restart");
});

test("an answer names pages and buttons as the screens do", () => {
  const screens = JSON.stringify(import.meta.glob("../../**/words.ts", { eager: true }));
  const answers = enHelp.flatMap(({ items }) => items.map(({ answer }) => answer));
  const named = answers.flatMap((answer) => [...answer.matchAll(/“([^”]+)”/g)].map(([, name]) => name!));
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !screens.includes(`"${name}"`))).toEqual([]);
  const under = answers.flatMap((answer) => [...answer.matchAll(/[Uu]nder Manage > (\w+(?: zone)?)/g)].map(([, name]) => name!));
  expect(new Set(under)).toEqual(new Set(["Monitoring", "Logs", "Settings", "Versions", "Backups", "Export", "Billing", "Danger zone"]));
  expect(under.filter((name) => !Object.values(placeWords.nav).includes(name as never))).toEqual([]);
  const statuses = enHelp.flatMap(({ items }) => [...items]).find(({ id }) => id === "statuses")!.answer;
  const badges = Object.values(workspaceStateWords).flatMap((words) => ("badge" in words ? [words.badge] : []));
  for (const badge of badges) expect(statuses).toContain(badge);
});

test("a word in the question counts more than one in an answer", () => {
  const [first] = find("timezone");
  expect(first).toBe("timezone");
});

test("a query with an unknown word finds nothing", () => {
  expect(find("trial zebra")).toEqual([]);
  expect(find("(.*)")).toEqual(all);
  expect(find("zebra")).toEqual([]);
});

test.each([
  ["my workspace is too expensive, where do I cancel it", "cancel"],
  ["please help: the editor is offline since yesterday", "offline"],
  ["can we have our money back", "cancel"],
  ["invite my whole team somehow", "invite"],
])("of a whole sentence, %j, the words that are known find the answer %s", (query, id) => {
  const found = find(query).length > 0 ? find(query) : closestHelp(enHelp, query).map((item) => item.id);
  expect(found.slice(0, 3)).toContain(id);
});

test("the closest answers are about the words, and one word alone must be known", () => {
  const closest = (query: string) => closestHelp(enHelp, query).map(({ id }) => id);
  expect(closest("restore backup zebra")[0]).toBe("restore-backup");
  expect(closest("where do I put environment variables for zebra")[0]).toBe("environment-variables");
  expect(closest("zebra")).toEqual([]);
  expect(closest("zebra b")).toEqual([]);
  expect(closest("zebra giraffe lion trial")).toEqual([]);
});

test.each([
  ["The trial ends.", "trial", ["The ", "[trial]", " ends."]],
  ["Trials on trial", "TRIAL", ["[Trial]", "s on ", "[trial]"]],
  ["A confirmation", "confirm confirmation", ["A ", "[confirmation]"]],
  ["Nothing", "zebra", ["Nothing"]],
  ["Everything", "", ["Everything"]],
  ["a+b (c)", "b c", ["a+", "[b]", " (", "[c]", ")"]],
])("in %j the words of %j are marked", (text, query, parts) =>
  expect(markFound(text, query).map((part) => (part.isFound ? `[${part.text}]` : part.text))).toEqual(parts),
);
