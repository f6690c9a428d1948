import { expect, test } from "vitest";
import { filterLines, mostLines, paceOf, withEvent, type LogLine, type Output } from "./log-lines.ts";

const current = { readAt: "2026-11-23T08:00:01.000Z", isCurrent: true, isLive: true };
const add = (before: Output | undefined, text: string, isCut = false) => withEvent(before, { text, isWhole: false, isCut, ...current });
const whole = (before: Output | undefined, text: string) => withEvent(before, { text, isWhole: true, isCut: false, ...current });
const linesOf = (text: string) => add(undefined, text).lines;
const n8nLine = (level: string, message: string, more: object = {}) =>
  JSON.stringify({ level, message, metadata: { timestamp: "2026-11-23T08:00:00.000Z", file: "start.js", function: "run", ...more } });

test("a line of n8n contains its time and level, and data besides its message", () => {
  expect(linesOf(`${n8nLine("info", "n8n ready on ::, port 5678")}\n${n8nLine("error", "It failed", { workflowId: "w1" })}\n`)).toEqual([
    { key: 1, at: new Date("2026-11-23T08:00:00.000Z"), level: "info", text: "n8n ready on ::, port 5678", isAfterGap: false },
    { key: 2, at: new Date("2026-11-23T08:00:00.000Z"), level: "error", text: 'It failed {"workflowId":"w1"}', isAfterGap: false },
  ]);
});

test("a line of Node-RED contains its level; other lines have none, except errors and their stacks", () => {
  const text = "23 Nov 08:00:00 - [warn] Flow stopped\nplain\nTypeError: no\n    at run (a.js:1:2)\nafter\n";
  expect(linesOf(text).map(({ level }) => level)).toEqual(["warn", null, "error", "error", null]);
});

test.each([
  ["colours of a terminal", "\u001b[31mred\u001b[0m", "red"],
  ["a title of a terminal", "\u001b]0;title\u0007text", "text"],
  ["a screen that is emptied", "\u001b[2J\u001b[Htext\u001bc", "text"],
  ["a line that is overwritten", "one\rtwo", "onetwo"],
  ["text from right to left", "\u202eexe.txt", "exe.txt"],
  ["HTML", "<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
  ["JSON that is none of a log", '{"level":7,"message":{}}', '{"level":7,"message":{}}'],
  ["JSON without an end", '{"level":"info"', '{"level":"info"'],
  ["a time that is none", '{"level":"info","message":"m","metadata":{"timestamp":"never"}}', "m"],
])("%s is shown as text", (_what, raw, text) => {
  expect(linesOf(`${raw}\n`)[0]).toMatchObject({ text, at: null });
});

test.each(["constructor", "__proto__", "toString"])("a level named %s is none", (level) => {
  for (const raw of [`{"level":"${level}","message":"m"}`, `23 Nov 08:00:00 - [${level}] m`])
    expect(linesOf(`${raw}\n`)[0]).toMatchObject({ level: null, text: raw });
});

test("codes inside n8n's own message are shown as text, too", () => {
  expect(linesOf(n8nLine("info", "a\u001b[31mb\nc"))[0]?.text).toBe("ab\nc");
});

test("only the newest lines are kept, with continuing keys, and a gap is marked at its place", () => {
  const flood = add(undefined, Array.from({ length: 5_000 }, (_, place) => `line ${place}\n`).join(""));
  expect([flood.lines.length, flood.lines[0]?.text, flood.lines.at(-1)?.text]).toEqual([mostLines, "line 3000", "line 4999"]);
  const { lines } = add(flood, "next\nlast\n", true);
  expect(lines).toHaveLength(mostLines);
  expect(lines.slice(-3).map(({ isAfterGap }) => isAfterGap)).toEqual([false, true, false]);
  expect(new Set(lines.map(({ key }) => key)).size).toBe(mostLines);
});

test("output that is sent again continues what is shown, or replaces it if nothing of it is left", () => {
  const longer = whole(undefined, "0\n1\n2\n3\n4\n5\n6\n");
  const continued = whole(longer, "2\n3\n4\n5\n6\n7\n");
  expect([continued.lines.map(({ text }) => text).join(""), continued.total]).toEqual(["01234567", 8]);
  expect(continued.lines.slice(0, 7)).toEqual(longer.lines);
  expect(whole(continued, "7\n").lines).toHaveLength(1);
  expect(whole(continued, "other\n").lines.map(({ text }) => text)).toEqual(["other"]);
  expect(whole(longer, "2\n3\n4\n5\n6\n").lines).toEqual(longer.lines);
});

test("while the host does not answer, older lines do not replace newer ones", () => {
  const known = add(add(undefined, "1\n2\n"), "3\n");
  const old = { text: "1\n2\n", isWhole: true, isCut: false, isCurrent: false, isLive: false };
  expect(withEvent(known, { ...old, readAt: "2026-11-23T08:00:00.000Z" })).toEqual({ ...known, isCurrent: false });
  expect(withEvent(known, { ...old, text: "", readAt: null })).toEqual({ ...known, isCurrent: false });
  const newer = withEvent(known, { ...old, text: "1\n2\n3\n4\n", readAt: "2026-11-23T08:01:00.000Z" });
  expect(newer.lines.map(({ text }) => text)).toEqual(["1", "2", "3", "4"]);
});

test("the page says Live only if new lines are sent as they are written", () => {
  const event = { text: "1\n", isWhole: true, isCut: false, readAt: current.readAt };
  expect(paceOf({ ...event, isCurrent: true, isLive: true })).toBe("live");
  expect(paceOf({ ...event, isCurrent: true, isLive: false })).toBe("slow");
  expect(paceOf({ ...event, isCurrent: false, isLive: false })).toBeNull();
});

test("a level shows lines of at least that severity, and the search ignores case", () => {
  const lines = linesOf(["error", "warn", "info", "debug"].map((level) => n8nLine(level, `Said as ${level}`)).join("\n") + "\nplain");
  const shown = (level: LogLine["level"], search = "") => filterLines(lines, { level, search }).map(({ text }) => text.split(" ").at(-1));
  expect(shown(null)).toEqual(["error", "warn", "info", "debug", "plain"]);
  expect(shown("warn")).toEqual(["error", "warn"]);
  expect(shown("debug")).toEqual(["error", "warn", "info", "debug"]);
  expect(shown(null, " SAID AS D")).toEqual(["debug"]);
  expect(shown("error", "plain")).toEqual([]);
});
