/** Each kind of session has the limits of docs/database-sessions.md, in the server too, and each limit is below what waits for it. */
import { readFileSync } from "node:fs";
import pg from "pg";
import { DrizzleQueryError } from "drizzle-orm";
import { expect, test } from "vitest";
import { createTestDatabase } from "#testing/postgres.ts";
import { hourMs, minuteMs, secondMs } from "../clock.ts";
import { openDatabase } from "../database.ts";
import { createLog } from "../log.ts";
import { createNotifications } from "./listen.ts";
import { announceProcess } from "./server/data-folder-lock.ts";
import { keepalive, sessionLimits, settingsOf, type SessionKind, type SessionLimits } from "./session-limits.ts";

const log = createLog("silent");
const kinds = Object.entries(sessionLimits) as [SessionKind, SessionLimits][];

const written = (ms: number): string =>
  ms === 0 ? "no limit" : ms >= hourMs ? `${ms / hourMs} h` : ms > minuteMs ? `${ms / minuteMs} min` : `${ms / secondMs} s`;

test("the page has every kind of session with its limits, and TCP's", () => {
  const page = readFileSync(new URL("../../docs/database-sessions.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` \| [^|]+ \| (.+) \|$/gm)].map(([, kind, limits]) => [kind, limits!.split(" | ")]);
  expect(rows).toEqual(
    kinds.map(([kind, limits]) => [
      kind,
      [
        limits.statementMs,
        limits.lockMs,
        limits.idleInTransactionMs,
        limits.idleSessionMs,
        limits.clientCheckMs,
        limits.connectMs,
        limits.silenceMs,
      ].map(written),
    ]),
  );
  const { idleSeconds, intervalSeconds, userTimeoutMs } = keepalive;
  expect(page).toContain(
    `keepalives after ${idleSeconds} s, three times, ${intervalSeconds} s apart, and drops what a client has not acknowledged for ${userTimeoutMs / 1000} s`,
  );
});

test.each(kinds)("a %s session's limits are each below what waits for it", (_kind, limits) => {
  expect(limits.lockMs).toBeLessThan(limits.statementMs);
  expect(limits.clientCheckMs).toBeLessThanOrEqual(limits.lockMs);
  if (limits.silenceMs === 0) return;
  expect(limits.statementMs).toBeLessThan(limits.silenceMs);
  expect(limits.idleInTransactionMs).toBeLessThan(limits.silenceMs);
});

const names = Object.keys(settingsOf(sessionLimits.serving));
/** In milliseconds, as pg_settings has them; TCP's have no effect on the tests' local socket. */
const current = `select name, setting from pg_settings where name = any('{${names.filter((name) => !name.startsWith("tcp")).join(",")}}')`;
const expected = (limits: SessionLimits) =>
  Object.fromEntries(Object.entries(settingsOf(limits)).filter(([name]) => !name.startsWith("tcp")));

test.each(kinds)("the server has the limits of a %s session from its first statement on", async (kind, limits) => {
  await using database = await createTestDatabase({ empty: true });
  const { pool, close } = openDatabase(database.connection, log, { kind, max: 2 });
  const found = await Promise.all([1, 2].map(async () => (await pool.query<{ name: string; setting: string }>(current)).rows));
  for (const rows of found) expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual(expected(limits));
  await close();
});

test("sessions outside of the pool have limits too: a wait for a lock ends at the server", async () => {
  await using database = await createTestDatabase({ empty: true });
  const seen: string[][] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...given: never[]) {
    const [text, values] = given as unknown as [unknown, unknown];
    if (String(text).includes("set_config")) seen.push(values as string[]);
    return (query as (...all: never[]) => never).apply(this, given);
  } as typeof query;
  try {
    const listener = await createNotifications({ connection: database.connection, log }).listen({
      channels: ["one"],
      onNotify() {},
      onReconnect() {},
    });
    const presence = await announceProcess(database.connection as pg.ClientConfig);
    await Promise.all([listener.close(), presence.release()]);
  } finally {
    pg.Client.prototype.query = query;
  }
  expect(seen).toEqual([Object.entries(settingsOf(sessionLimits.listen)).flat(), Object.entries(settingsOf(sessionLimits.lock)).flat()]);
});

test("a transaction that loses a deadlock is run again", async () => {
  await using database = await createTestDatabase({ empty: true });
  await database.pool.query("create table pairs (id int primary key, count int not null); insert into pairs values (1, 0), (2, 0)");
  const both = Promise.withResolvers<void>();
  let waiting = 0;
  const tries = [0, 0];
  const inOrder = (first: number, second: number, index: number) =>
    database.db.transaction(async (tx) => {
      tries[index]! += 1;
      await tx.execute(`update pairs set count = count + 1 where id = ${first}`);
      if (++waiting === 2) both.resolve();
      await both.promise;
      await tx.execute(`update pairs set count = count + 1 where id = ${second}`);
    });
  await Promise.all([inOrder(1, 2, 0), inOrder(2, 1, 1)]);
  expect(tries.toSorted()).toEqual([1, 2]);
  expect((await database.pool.query("select count from pairs")).rows).toEqual([{ count: 2 }, { count: 2 }]);
});

test("a transaction that always loses fails in the end, and other errors are not tried again", async () => {
  await using database = await createTestDatabase({ empty: true });
  const triesOf = async (code: string) => {
    let tries = 0;
    const error = await database.db
      .transaction(async (tx) => {
        tries += 1;
        await tx.execute(`do $$ begin raise exception using errcode = '${code}'; end $$`);
      })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ cause: { code } });
    return tries;
  };
  // A use case may say what it could not do, with the conflict as the cause.
  let wrapped = 0;
  const failing = database.db.transaction(async (tx) => {
    wrapped += 1;
    await tx.execute(`do $$ begin raise exception using errcode = '40P01'; end $$`).catch((cause: unknown) => {
      throw new Error("no trial", { cause });
    });
  });
  await expect(failing).rejects.toThrow("no trial");
  expect(wrapped).toBe(4);
  for (const thrown of [null, undefined, "a sentence", new DrizzleQueryError("select", [])])
    await expect(database.db.transaction(() => Promise.reject(thrown))).rejects.toBe(thrown);
  expect([await triesOf("40P01"), await triesOf("40001"), await triesOf("55P03"), await triesOf("23505")]).toEqual([4, 4, 1, 1]);
});
