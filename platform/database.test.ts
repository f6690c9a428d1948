import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSilentLine } from "#testing/network/silent-line.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { allowSilence, isDatabaseAway, openDatabase, type DatabaseHandle } from "./database.ts";
import { createLog } from "./log.ts";

let database: TestDatabase;
let handle: DatabaseHandle;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  handle = openDatabase(database.connection, createLog("silent"), { max: 2 });
});
afterAll(async () => {
  await handle?.close();
  await database?.close();
});

const end = (pid: unknown) => database.pool.query("select pg_terminate_backend($1)", [pid]);
const self = sql`select pg_backend_pid() as pid`;

test("a connection that ends between two statements fails its transaction and nothing else", async () => {
  const broken = handle.db.transaction(async (tx) => {
    const { rows } = await tx.execute(self);
    const gone = new Promise((resolve) => setTimeout(resolve, 100));
    await end(rows[0]!["pid"]);
    // No statement runs while the end of the connection arrives.
    await gone;
    await tx.execute(self);
  });
  await expect(broken).rejects.toThrow();
  expect((await handle.db.execute(self)).rows).toHaveLength(1);
});

test("a server that stops while the pool is closing logs no error", async () => {
  const said: unknown[] = [];
  const log = { ...createLog("silent"), warn: (entry: unknown) => said.push(entry), debug: () => undefined } as unknown as ReturnType<
    typeof createLog
  >;
  const closing = openDatabase({ ...database.connection, application_name: "closing" }, log, { max: 8 });
  await Promise.all(Array.from({ length: 8 }, () => closing.db.execute(sql`select pg_sleep(0.1)`)));
  const ended = database.pool.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'closing'");
  await Promise.all([closing.close(), ended]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(said).toEqual([]);
});

test("a connection that ends while idle is replaced", async () => {
  const { rows } = await handle.db.execute(self);
  await end(rows[0]!["pid"]);
  await expect.poll(async () => (await handle.db.execute(self).catch(() => undefined))?.rows[0]!["pid"]).not.toBe(rows[0]!["pid"]);
});

test("connections that die at the start of a transaction do not reduce the pool", async () => {
  await using over = await overALine();
  for (let times = 0; times < 3; times += 1) {
    await over.silent.db.execute(self);
    over.line.dropOpen();
    const broken = over.silent.db.transaction((tx) => tx.execute(self));
    await over.endSilence(broken);
  }
  const found = await over.silent.db.transaction((tx) => tx.execute(self));
  expect([found.rows.length, over.silent.pool.totalCount, over.silent.pool.idleCount]).toEqual([1, 1, 1]);
});

/** Members of pg's client that its types lack. */
interface ClientInside {
  connection: { stream: Socket };
  readyForQuery: boolean;
}

/**
 * A pool of at most `max` connections, fewer than are lost above, over a line that can go silent. No test lasts as long as the silence that
 * the pool allows: `endSilence` says when it is over, so that a busy machine is not taken for a silent server.
 */
async function overALine({ max = 2, connectMs = 20_000, silenceMs = 24 * 60 * 60_000 } = {}) {
  const { host, port, ...rest } = database.connection;
  const line = await openSilentLine({ path: `${host}/.s.PGSQL.${port}` });
  const at = { host: line.host, port: line.port, connectionTimeoutMillis: connectMs };
  const silent = openDatabase({ ...rest, ...at }, createLog("silent"), { max, limits: { silenceMs } });
  const clients = new Set<ClientInside>();
  const inside = (client: PoolClient) => client as unknown as ClientInside;
  silent.pool.on("connect", (client) => clients.add(inside(client))).on("remove", (client) => clients.delete(inside(client)));
  return {
    line,
    silent,
    /** The connection with an unanswered statement has been silent for too long, which rejects the statement. */
    async endSilence(unanswered: Promise<unknown>) {
      const outcome = unanswered.then(
        () => "answered",
        () => "rejected",
      );
      const waiting = () => [...clients].filter(({ readyForQuery }) => !readyForQuery);
      await expect.poll(() => waiting().length).toBe(1);
      const { stream } = waiting()[0]!.connection;
      expect(stream.timeout).toBe(silenceMs);
      stream.emit("timeout");
      expect(await outcome).toBe("rejected");
    },
    async [Symbol.asyncDispose]() {
      line.thaw();
      await Promise.all([silent.close(), line[Symbol.asyncDispose]()]);
    },
  };
}

test("an unanswered statement is rejected, and the next one gets a working connection", async () => {
  await using over = await overALine({ silenceMs: 1_000 });
  // A busy machine may be silent for as long.
  const answers = () =>
    over.silent.db.execute(self).then(
      ({ rows }) => rows.length,
      () => 0,
    );
  await expect.poll(answers).toBe(1);
  over.line.dropOpen();
  expect(await answers()).toBe(0);
  await expect.poll(answers).toBe(1);
});

test("one silent connection costs one wait, however many others are open", async () => {
  await using over = await overALine({ max: 8 });
  await Promise.all(Array.from({ length: 8 }, () => over.silent.db.execute(sql`select pg_sleep(0.1)`)));
  over.line.dropOpen();
  await over.endSilence(over.silent.db.execute(self));
  for (let times = 0; times < 8; times += 1) expect((await over.silent.db.execute(self)).rows).toHaveLength(1);
});

test("a transaction whose connection went silent is rejected, and the pool never reuses that connection", async () => {
  await using over = await overALine();
  const dropped = Promise.withResolvers<void>();
  const broken = over.silent.db.transaction(async (tx) => {
    await tx.execute(self);
    over.line.dropOpen();
    dropped.resolve();
    await tx.execute(self);
  });
  await dropped.promise;
  await over.endSilence(broken);
  expect((await Promise.all([1, 2, 3].map(() => over.silent.db.execute(self)))).map(({ rows }) => rows.length)).toEqual([1, 1, 1]);
});

test("a frozen server costs a caller the silence limit once, and answers again when it thaws", async () => {
  await using over = await overALine({ connectMs: 1_000 });
  over.line.freeze();
  await expect(over.silent.db.execute(self)).rejects.toThrow();
  over.line.thaw();
  await expect
    .poll(() =>
      over.silent.db.execute(self).then(
        ({ rows }) => rows.length,
        () => 0,
      ),
    )
    .toBe(1);
});

test("an idle connection may be silent, and so may one that is allowed to", async () => {
  await using over = await overALine();
  const client = await over.silent.pool.connect();
  const { stream } = (client as unknown as ClientInside).connection;
  stream.emit("timeout");
  expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  allowSilence(client);
  expect(stream.timeout).toBe(0);
  expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  client.release(true);
});

test("an error says whether the database was away: refused, ended in the middle, or silent; a faulty statement and a missing file are neither", async () => {
  const errorOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );
  const nobody = openDatabase({ ...database.connection, host: "127.0.0.1", port: 1 }, createLog("silent"));
  const ended = handle.db.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
  await using over = await overALine({ connectMs: 500 });
  over.line.freeze();
  const away = await Promise.all(
    [nobody.db.execute(self), nobody.db.transaction((tx) => tx.execute(self)), ended, over.silent.db.execute(self)].map(errorOf),
  );
  over.line.thaw();
  expect(away.map(isDatabaseAway)).toEqual([true, true, true, true]);
  const own = await Promise.all(
    [handle.db.execute(sql`selec`), readFile("/nowhere/at/all"), Promise.reject(new Error("own"))].map(errorOf),
  );
  expect(own.map(isDatabaseAway)).toEqual([false, false, false]);
  await nobody.close();
});
