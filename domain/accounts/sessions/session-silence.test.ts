/** When sessions end without being ended by a user. */
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mendClockSetBack } from "#domain/service-clock/mend-clock-set-back.ts";
import { deleteOldRows } from "#apps/program/retention/delete-old-rows.ts";
import { dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import { createTestApi, registerSomebody, type TestApi } from "#testing/test-api.ts";
import { createSeenNotes } from "./note-seen.ts";
import { hashToken } from "../token.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const ask = (token: string) => api.call("GET", "/api/auth/me", { token });
const rowOf = async (token: string) =>
  (
    await api.database.pool.query<{ last_seen_at: Date; expires_at: Date; created_at: Date }>(
      "select last_seen_at, expires_at, created_at from sessions where token_hash = $1",
      [hashToken(token)],
    )
  ).rows[0];
/** The write happens beside the answer, so the test waits for it. */
const isSeenNow = (token: string) => expect.poll(async () => (await rowOf(token))?.last_seen_at).toEqual(api.clock.now());

/** Every statement sent to the database during `run`. */
async function statementsOf(run: () => Promise<void>): Promise<string[]> {
  const seen: string[] = [];
  const prototype = Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  const original = prototype.query;
  prototype.query = function (this: unknown, ...args: unknown[]) {
    const [query] = args as [string | { text?: string } | undefined];
    seen.push(typeof query === "string" ? query : (query?.text ?? ""));
    return original.apply(this, args);
  };
  try {
    await run();
  } finally {
    prototype.query = original;
  }
  return seen;
}

test("a session unused for 14 days has ended, and its row is deleted", async () => {
  const { token } = await registerSomebody(api);
  api.clock.advance(14 * dayMs);
  expect((await ask(token)).json()).toMatchObject({ status: 401, code: "session_expired" });
  api.clock.advance(1);
  await deleteOldRows(api.services.db, api.clock.now());
  expect(await rowOf(token)).toBeUndefined();
});

test("a session used every 14 days continues, but never longer than thirty days", async () => {
  const { token } = await registerSomebody(api);
  for (const ms of [14 * dayMs - 1, 14 * dayMs - 1, 2 * dayMs + 1]) {
    api.clock.advance(ms);
    expect((await ask(token)).statusCode).toBe(200);
    await isSeenNow(token);
    await deleteOldRows(api.services.db, api.clock.now());
  }
  api.clock.advance(1);
  expect((await ask(token)).json()).toMatchObject({ status: 401, code: "session_expired" });
});

test("looking up the caller costs one query, and once an hour a write that delays no answer", async () => {
  const { token } = await registerSomebody(api);
  const askOften = async () => {
    for (let call = 0; call < 10; call += 1) expect((await ask(token)).statusCode).toBe(200);
  };
  api.clock.advance(hourMs - 1);
  expect(await statementsOf(askOften)).toHaveLength(10);
  api.clock.advance(1);
  const statements = await statementsOf(async () => {
    expect((await ask(token)).statusCode).toBe(200);
    await expect.poll(async () => (await rowOf(token))?.last_seen_at).toEqual(api.clock.now());
    await askOften();
  });
  expect(statements.filter((text) => text.startsWith("update"))).toEqual([expect.stringContaining("last_seen_at")]);
});

test("a locked row delays no request, and the next request records the use", async () => {
  const { token } = await registerSomebody(api);
  const before = (await rowOf(token))!.last_seen_at;
  api.clock.advance(2 * hourMs);
  const holder = await api.database.pool.connect();
  await holder.query("begin");
  await holder.query("select 1 from sessions where token_hash = $1 for update", [hashToken(token)]);
  for (let call = 0; call < 5; call += 1) expect((await ask(token)).statusCode).toBe(200);
  expect((await rowOf(token))!.last_seen_at).toEqual(before);
  await holder.query("rollback");
  holder.release();
  await expect.poll(async () => ((await ask(token)).statusCode, (await rowOf(token))!.last_seen_at)).toEqual(api.clock.now());
});

test("setting the clock back ends no session in use, and its idle time counts from then", async () => {
  const { token } = await registerSomebody(api);
  api.clock.advance(10 * dayMs);
  expect((await ask(token)).statusCode).toBe(200);
  await isSeenNow(token);
  api.clock.advance(-10 * dayMs);
  expect((await ask(token)).statusCode).toBe(200);
  await mendClockSetBack(api.services.db, api.clock.now());
  expect((await rowOf(token))!.last_seen_at).toEqual(api.clock.now());
  expect(await mendClockSetBack(api.services.db, api.clock.now())).toBe(0);
  api.clock.advance(14 * dayMs);
  expect((await ask(token)).statusCode).toBe(401);
});

test("a session opened by a clock a year ahead lives as long as any other once the clock is corrected", async () => {
  api.clock.advance(365 * dayMs);
  const { token } = await registerSomebody(api);
  api.clock.advance(-365 * dayMs);
  expect((await ask(token)).statusCode).toBe(200);
  await mendClockSetBack(api.services.db, api.clock.now());
  const now = api.clock.now().getTime();
  expect(await rowOf(token)).toEqual({ created_at: new Date(now), last_seen_at: new Date(now), expires_at: new Date(now + 30 * dayMs) });
  // Back by less than a minute counts as the same clock: nothing is written.
  api.clock.advance(-minuteMs / 2);
  expect(await mendClockSetBack(api.services.db, api.clock.now())).toBe(0);
  api.clock.advance(minuteMs / 2);
});

test("use during a write is recorded by the next one, and a failed write ends nothing", async () => {
  const written: string[][] = [];
  const trouble: unknown[] = [];
  const ends: (() => void)[] = [];
  const note = createSeenNotes(
    async (tokenHashes) => {
      written.push(tokenHashes);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (written.length === 1) throw new Error("the database is away");
    },
    (error) => trouble.push(error),
  );
  note(["a"]);
  note(["b", "c"]);
  note(["c"]);
  expect(written).toEqual([["a"]]);
  ends[0]!();
  await expect.poll(() => written).toEqual([["a"], ["b", "c"]]);
  ends[1]!();
  await expect.poll(() => (note(["d"]), written.length)).toBe(3);
  expect(trouble).toEqual([new Error("the database is away")]);
});
