import { createHash } from "node:crypto";
import { Writable } from "node:stream";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { hourMs, minuteMs } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { rangeOf, startRangeService, type RangeService } from "#testing/network/start-range-service.ts";
import { createTestClock, type TestClock } from "#testing/test-clock.ts";
import type { BreachedPasswords } from "./breached-passwords.ts";
import { passwordRanges } from "./password-ranges.ts";

const leaked = "correct horse battery";
const hash = createHash("sha1").update(leaked).digest("hex").toUpperCase();

let service: RangeService;
let clock: TestClock;
let lines: string[];
let breached: BreachedPasswords;
/** Longer than a busy machine takes. */
const patienceMs = 60_000;
const ask = (url: string, withinMs?: number) =>
  passwordRanges({
    url,
    clock,
    withinMs,
    log: createLog("trace", undefined, new Writable({ write: (chunk: Buffer, _encoding, done) => (lines.push(chunk.toString()), done()) })),
  });

beforeEach(async () => {
  service = await startRangeService();
  service.leaked.add(leaked);
  clock = createTestClock();
  lines = [];
  breached = ask(service.url, patienceMs);
});
afterEach(() => service[Symbol.asyncDispose]());

/** The log contains one warning, and neither a secret nor a part of a hash. */
const expectOneWarning = (reason: string) => {
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 40, reason, msg: "passwords are currently not checked against known leaks" });
  for (const secret of [leaked, hash.slice(0, 5), hash.slice(5, 15)]) expect(lines[0]!.toUpperCase()).not.toContain(secret.toUpperCase());
};

test("a leaked password is known, another is not, and the service gets only five digits of a hash", async () => {
  expect(await breached.has(leaked)).toBe(true);
  expect(await breached.has("something else entirely")).toBe(false);
  expect(service.asked.map(({ path }) => path)).toEqual([`/range/${hash.slice(0, 5)}`, expect.stringMatching(/^\/range\/[0-9A-F]{5}$/)]);
  const { headers } = service.asked[0]!;
  expect(headers["add-padding"]).toBe("true");
  expect(Object.keys(headers).filter((name) => ["cookie", "authorization", "referer", "origin"].includes(name))).toEqual([]);
  expect(lines).toEqual([]);
});

test("padding does not count as a leak", async () => {
  service.answer = (response) => void response.end(rangeOf(hash.slice(0, 5), [], [leaked]));
  expect(await breached.has(leaked)).toBe(false);
  expect(lines).toEqual([]);
});

test("lines may be in lower case and have any line end", async () => {
  service.answer = (response) => void response.end(`${hash.slice(5).toLowerCase()}:2\n`);
  expect(await breached.has(leaked)).toBe(true);
});

const good = (response: ServerResponse) => response.write(rangeOf(hash.slice(0, 5), [leaked]));
const wrongAnswers: [string, (response: ServerResponse) => void, string][] = [
  ["a page of its own", (response) => void response.end("<html><body>Sign in to the Wi-Fi</body></html>"), "answers something else"],
  ["the leak among something else", (response) => (good(response), response.end("\r\n<script>")), "answers something else"],
  ["nothing", (response) => void response.end(), "answers something else"],
  ["a refusal", (response) => void response.writeHead(429, { "retry-after": "2" }).end("slow down"), "answers 429"],
  ["a fault that never ends", (response) => void response.writeHead(500).write("x"), "answers 500"],
  ["no content", (response) => void response.writeHead(204).end(), "answers 204"],
  ["another place", (response) => void response.writeHead(302, { location: `${service.url}/${hash.slice(0, 5)}` }).end(), "answers 302"],
  ["a broken line", (response) => void response.socket?.destroy(), "cannot be reached"],
  [
    "half of it",
    (response) => (
      response.writeHead(200, { "content-length": "9999999" }),
      good(response),
      setTimeout(() => response.socket?.destroy(), 50)
    ),
    "cannot be reached",
  ],
];

test.each(wrongAnswers)("with a service that answers %s every password passes, with one warning", async (_what, answer, reason) => {
  service.answer = answer;
  expect(await breached.has(leaked)).toBe(false);
  expectOneWarning(reason);
  expect(service.asked).toHaveLength(1);
});

test("an endless response is aborted after a limit of bytes", async () => {
  let open = true;
  let sent = 0;
  service.answer = (response) => {
    response.on("close", () => void (open = false));
    const more = () => {
      while (open && response.write("0".repeat(64 * 1024))) sent += 64;
      sent += 64;
      response.once("drain", more);
    };
    more();
  };
  expect(await breached.has(leaked)).toBe(false);
  // Not because its time was over.
  expectOneWarning("answers too much");
  await expect.poll(() => open).toBe(false);
  // What the sockets of both sides buffer.
  expect(sent).toBeLessThan(32 * 1024);
});

test("a request without a response, or with one that trickles in, is aborted after two seconds", async () => {
  const { timeout } = AbortSignal;
  const limits: number[] = [];
  AbortSignal.timeout = (ms) => (limits.push(ms), timeout(300));
  onTestFinished(() => void (AbortSignal.timeout = timeout));
  const ofNever = await startRangeService();
  ofNever.answer = () => undefined;
  service.answer = (response) => {
    const dripping = setInterval(() => response.write(`${hash.slice(5)}:2\r\n`), 100);
    response.on("close", () => clearInterval(dripping));
  };
  expect(await Promise.all([service, ofNever].map(({ url }) => ask(url).has(leaked)))).toEqual([false, false]);
  await ofNever[Symbol.asyncDispose]();
  expect(limits).toEqual([2_000, 2_000]);
  expect(lines.map((line) => JSON.parse(line).reason)).toEqual(["does not answer in time", "does not answer in time"]);
});

test("while the service is unreachable, every password is accepted", async () => {
  await service[Symbol.asyncDispose]();
  expect(await breached.has(leaked)).toBe(false);
  expectOneWarning("cannot be reached");
  service = await startRangeService();
});

test("after a failure there is neither a request nor a warning for a minute", async () => {
  service.answer = (response) => void response.writeHead(503).end();
  for (let times = 0; times < 20; times += 1) await breached.has(leaked);
  expect([service.asked.length, lines.length]).toEqual([1, 1]);
  service.answer = null;
  clock.advance(minuteMs - 1);
  expect(await breached.has(leaked)).toBe(false);
  clock.advance(1);
  expect(await breached.has(leaked)).toBe(true);
});

test("a clock that was set back does not extend that minute", async () => {
  service.answer = (response) => void response.writeHead(503).end();
  await breached.has(leaked);
  service.answer = null;
  clock.advance(-hourMs);
  expect(await breached.has(leaked)).toBe(true);
});

test("a storm makes eight concurrent requests; the other passwords pass immediately, with one warning, and later ones are checked again", async () => {
  const waiting: ServerResponse[] = [];
  service.answer = (response) => void waiting.push(response);
  const storm = Array.from({ length: 100 }, () => breached.has(leaked));
  expect(await Promise.all(storm.slice(8))).toEqual(Array.from({ length: 92 }, () => false));
  await expect.poll(() => waiting.length).toBe(8);
  for (const response of waiting) response.end(rangeOf(hash.slice(0, 5), [leaked]));
  expect(await Promise.all(storm.slice(0, 8))).toEqual(Array.from({ length: 8 }, () => true));
  expectOneWarning("too many concurrent checks");
  service.answer = null;
  expect(await breached.has(leaked)).toBe(true);
});
