import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { listen, type Listener } from "./listen.ts";
import { createLog } from "../log.ts";

let database: TestDatabase;
let listener: Listener;
let heard: string[];
let reconnects: number;

beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
  heard = [];
  reconnects = 0;
  listener = await start();
});
afterEach(async () => {
  await listener.close();
  await database.close();
});

const log = createLog("silent");
const start = (onNotify = (channel: string, payload: string) => void heard.push(`${channel}: ${payload}`)) =>
  listen({ connection: database.connection, channels: ["first", "Second One"], onNotify, onReconnect: () => void reconnects++, log });
const notify = (channel: string, payload: string) => database.pool.query("select pg_notify($1, $2)", [channel, payload]);
const cutConnections = () =>
  database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'slipway listen' and datname = current_database()",
  );

const listeningCount = async () =>
  (await database.pool.query("select 1 from pg_stat_activity where application_name = 'slipway listen' and datname = current_database()"))
    .rowCount;

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
  await expect(listen({ connection, channels: [], onNotify: () => undefined, onReconnect: () => undefined, log })).rejects.toThrow(
    "does not exist",
  );
});
