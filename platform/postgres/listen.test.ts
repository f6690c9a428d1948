import type { PoolConfig } from "pg";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { createNotifications, type Listener, type Notifications } from "./listen.ts";

let database: TestDatabase;
let notifications: Notifications;
let listener: Listener;
let heard: string[];
let reconnects: number;
/** The service's own, which a test may change. */
let connection: PoolConfig;
let losses: number;

beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
  heard = [];
  reconnects = 0;
  losses = 0;
  connection = { ...database.connection };
  notifications = createNotifications({ connection, log });
  listener = await start();
});
afterEach(async () => {
  await listener.close();
  await database.close();
});

const log = pino({ level: "warn" }, { write: (line: string) => void (line.includes("connection was lost") && losses++) });
const start = (onNotify = (channel: string, payload: string) => void heard.push(`${channel}: ${payload}`)) =>
  notifications.listen({ channels: ["first", "Second One"], onNotify, onReconnect: () => void reconnects++ });
const notify = (channel: string, payload: string) => database.pool.query("select pg_notify($1, $2)", [channel, payload]);
const cutConnections = () =>
  database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'slipway listen' and datname = current_database()",
  );

const listeningCount = async () =>
  (await database.pool.query("select 1 from pg_stat_activity where application_name = 'slipway listen' and datname = current_database()"))
    .rowCount;

const lastStatement = async () =>
  (
    await database.pool.query<{ query: string }>(
      "select query from pg_stat_activity where application_name = 'slipway listen' and datname = current_database()",
    )
  ).rows.at(-1)?.query;

test("notifications on its channels arrive, and no others", async () => {
  await notify("another", "x");
  await notify("first", "a");
  await notify("Second One", "");
  await expect.poll(() => heard).toEqual(["first: a", "Second One: "]);
});

test("a lost connection is rebuilt and reported, and notifications arrive again", async () => {
  await cutConnections();
  await expect.poll(() => reconnects).toBe(1);
  await notify("first", "after");
  await expect.poll(() => heard).toEqual(["first: after"]);
});

test("a connection that is lost repeatedly is rebuilt each time", async () => {
  for (let count = 1; count <= 3; count++) {
    await cutConnections();
    await expect.poll(() => reconnects).toBe(count);
  }
});

test("a callback that throws does not stop the listener", async () => {
  await listener.close();
  listener = await start((_channel, payload) => {
    heard.push(payload);
    throw new Error("a fault of its owner");
  });
  await notify("first", "1");
  await notify("first", "2");
  await expect.poll(() => heard).toEqual(["1", "2"]);
});

test("once closed, no notification arrives and nothing is rebuilt", async () => {
  await listener.close();
  await notify("first", "late");
  await expect.poll(listeningCount).toBe(0);
  expect(heard).toEqual([]);
  expect(reconnects).toBe(0);
});

test("an unreachable database is refused at the start", async () => {
  const connection = { ...database.connection, database: "no_such_database" };
  const ofNone = createNotifications({ connection, log });
  const subscription = { channels: [], onNotify: () => undefined, onReconnect: () => undefined };
  await expect(ofNone.listen(subscription)).rejects.toThrow("does not exist");
  // And again: the failed session is not kept.
  await expect(ofNone.listen(subscription)).rejects.toThrow("does not exist");
});

describe("several parts of one process", () => {
  let other: string[];
  let otherReconnects: number;
  let second: Listener;

  beforeEach(async () => {
    other = [];
    otherReconnects = 0;
    second = await join();
  });
  afterEach(() => second.close());

  const join = (channels = ["first", "third"]) =>
    notifications.listen({
      channels,
      onNotify: (channel, payload) => void other.push(`${channel}: ${payload}`),
      onReconnect: () => void otherReconnects++,
    });

  test("share one session, and each is notified on its own channels", async () => {
    expect(await listeningCount()).toBe(1);
    await notify("Second One", "a");
    await notify("third", "b");
    await notify("first", "c");
    await expect
      .poll(() => [heard, other])
      .toEqual([
        ["Second One: a", "first: c"],
        ["third: b", "first: c"],
      ]);
  });

  test("that begin together share one session too, and a notification right after each has joined reaches it", async () => {
    await Promise.all([listener.close(), second.close()]);
    await expect.poll(listeningCount).toBe(0);
    const [one, two] = await Promise.all([
      start().then((each) => (void notify("first", "one"), each)),
      join().then((each) => (void notify("third", "two"), each)),
    ]);
    await expect.poll(() => [heard.includes("first: one"), other.includes("third: two")]).toEqual([true, true]);
    expect(await listeningCount()).toBe(1);
    await Promise.all([one.close(), two.close()]);
    await expect.poll(listeningCount).toBe(0);
  });

  test("are each told of a gap, and hear their channels again", async () => {
    await cutConnections();
    await expect.poll(() => [reconnects, otherReconnects]).toEqual([1, 1]);
    await notify("Second One", "a");
    await notify("third", "b");
    await expect.poll(() => [heard, other]).toEqual([["Second One: a"], ["third: b"]]);
    expect(await listeningCount()).toBe(1);
  });

  test("fail apart: what one part throws, the others do not notice", async () => {
    await listener.close();
    const faulty = () => {
      throw new Error("a fault of its owner");
    };
    const failing = await notifications.listen({ channels: ["first"], onNotify: faulty, onReconnect: faulty });
    await second.close();
    second = await join();
    await notify("first", "a");
    await expect.poll(() => other).toEqual(["first: a"]);
    await cutConnections();
    await expect.poll(() => otherReconnects).toBe(1);
    await failing.close();
  });

  test("end apart: the session stays for the others, without the channels that only the ended part needed", async () => {
    await listener.close();
    await expect.poll(lastStatement).toBe('UNLISTEN "Second One"');
    await notify("first", "a");
    await expect.poll(() => other).toEqual(["first: a"]);
    expect(heard).toEqual([]);
    await cutConnections();
    await expect.poll(() => otherReconnects).toBe(1);
    expect(reconnects).toBe(0);
    await second.close();
    await expect.poll(listeningCount).toBe(0);
  });

  test("may join again after the last has ended", async () => {
    await Promise.all([listener.close(), second.close()]);
    second = await join();
    await notify("third", "again");
    await expect.poll(() => other).toEqual(["third: again"]);
  });

  test("may join while the session is lost: they listen once it is back, and miss nothing that they were told of", async () => {
    const { port } = connection;
    connection.port = 1;
    await cutConnections();
    await expect.poll(() => losses).toBe(1);
    const joining = join(["fourth"]);
    await listener.close();
    connection.port = port!;
    const third = await joining;
    expect([reconnects, otherReconnects]).toEqual([0, 1]);
    await notify("fourth", "a");
    await expect.poll(() => other).toEqual(["fourth: a"]);
    await third.close();
  });
});
