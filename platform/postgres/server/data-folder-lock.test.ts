import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { openSilentLine } from "#testing/network/silent-line.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { acquireDataFolder, acquireWorkspaces, announceProcess, type HeldLock } from "./data-folder-lock.ts";

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  dataDir = mkdtempSync(join(tmpdir(), "slipway-lock-"));
});
afterAll(async () => {
  await database?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const isHeld = (lock: HeldLock) => () =>
  Promise.race([lock.held().then(() => true), new Promise((resolve) => setImmediate(() => resolve(false)))]);
const pings = { everyMs: 100, answerWithinMs: 500 };
const holders = async () =>
  (
    await database.pool.query(
      "select pid from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())",
    )
  ).rows.map(({ pid }) => pid as number);

// PostgreSQL learns late, on a busy machine, that the session of an earlier test is gone.
const untilNobodyHolds = () => expect.poll(holders).toEqual([]);
beforeEach(untilNobodyHolds);

async function holdOverALine() {
  const { host, port, ...rest } = database.connection;
  const line = await openSilentLine({ path: `${host}/.s.PGSQL.${port}` });
  const lock = await acquireDataFolder({ ...rest, host: line.host, port: line.port }, dataDir, pings);
  let lost = false;
  void lock.lost.then(() => (lost = true));
  onTestFinished(async () => {
    line.thaw();
    await lock.release();
    await line[Symbol.asyncDispose]();
  });
  return { line, lock, isLost: () => lost };
}

test("a session that died silently is noticed, and the folder is locked again", async () => {
  const { line, isLost } = await holdOverALine();
  const [before] = await holders();
  line.dropOpen();
  await expect.poll(holders).not.toEqual([before]);
  await expect.poll(async () => (await holders()).length).toBe(1);
  expect(isLost()).toBe(false);
  await expect(acquireDataFolder(database.connection, dataDir)).rejects.toThrow("is in use by another Slipway");
});

test("a frozen server is waited for: the folder is still held when it answers again", async () => {
  const { line, isLost } = await holdOverALine();
  line.freeze();
  const opened = line.opened();
  // It has given the session up, and tries another one.
  await expect.poll(() => line.opened()).toBeGreaterThan(opened);
  line.thaw();
  await expect.poll(async () => (await holders()).length).toBe(1);
  expect(isLost()).toBe(false);
});

test("a folder that another process has locked is lost", async () => {
  const { line, isLost } = await holdOverALine();
  const [before] = await holders();
  line.freeze();
  const { rows } = await database.pool.query("select objid, classid from pg_locks where pid = $1 and locktype = 'advisory'", [before]);
  await database.pool.query("select pg_terminate_backend($1, 5000)", [before]);
  const other = await database.pool.connect();
  onTestFinished(() => other.release(true));
  await other.query("select pg_advisory_lock(($1::bigint << 32) | $2::bigint)", [rows[0].classid, rows[0].objid]);
  line.thaw();
  await expect.poll(isLost).toBe(true);
});

test("a database that became silent, then ended, and then came back gives the lock back", async () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-socket-"));
  const { host, port, ...rest } = database.connection;
  const sockets: Socket[] = [];
  const serve = async () => {
    const server = createServer((near) => {
      const far = connect(`${host}/.s.PGSQL.${port}`);
      sockets.push(near, far);
      near.pipe(far).pipe(near);
    });
    await once(server.listen(join(folder, ".s.PGSQL.5432")), "listening");
    return server;
  };
  const server = await serve();
  const lock = await acquireDataFolder({ ...rest, host: folder, port: 5432 }, dataDir, pings);
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await lock.release();
    rmSync(folder, { recursive: true, force: true });
  });
  // An answer that is seconds late on a busy machine, and then the server's end, of which its old session learns nothing.
  for (const socket of sockets) socket.unpipe();
  server.close();
  await expect.poll(isHeld(lock)).toBe(false);
  const back = await serve();
  onTestFinished(() => void back.close());
  await lock.held();
});

test("a program knows whether it is the only one of its service", async () => {
  const other = mkdtempSync(join(tmpdir(), "slipway-lock-"));
  const first = await acquireDataFolder(database.connection, dataDir);
  await expect.poll(() => first.isOnlyProgram()).toBe(true);
  const second = await acquireDataFolder(database.connection, other);
  expect(await first.isOnlyProgram()).toBe(false);
  await second.release();
  await expect.poll(() => first.isOnlyProgram()).toBe(true);
  await first.release();
  rmSync(other, { recursive: true });
});

test("a second worker of the same workspaces is refused, and told which one runs and how to end its session", async () => {
  const first = await acquireWorkspaces(database.connection);
  await expect(acquireWorkspaces(database.connection)).rejects.toThrow(
    new RegExp(`slipway worker, process ${process.pid} on .*select pg_terminate_backend\\(\\d+\\)`),
  );
  await first.release();
});

test("a lock whose session the server ended is taken again", async () => {
  const lock = await acquireWorkspaces(database.connection);
  onTestFinished(() => lock.release());
  let isLost = false;
  void lock.lost.then(() => (isLost = true));
  const [before] = await holders();
  // Whoever comes first gets it: here, nobody else wants it.
  await database.pool.query("select pg_terminate_backend($1, 5000)", [before]);
  await expect.poll(async () => (await holders()).filter((pid) => pid !== before)).toHaveLength(1);
  await lock.held();
  expect(isLost).toBe(false);
});

test("of two programs on one data folder, the one that lost it while the other started ends, and never holds it again", async () => {
  const { line, lock, isLost } = await holdOverALine();
  // The server restarts: this program cannot reach it yet, when the other one already can.
  line.freeze();
  await database.pool.query("select pg_terminate_backend($1, 5000)", [(await holders())[0]]);
  const other = await acquireDataFolder(database.connection, dataDir, pings);
  onTestFinished(() => other.release());
  await expect.poll(isHeld(lock)).toBe(false);
  line.thaw();
  await expect.poll(isLost).toBe(true);
  expect(await lock.lost).toContain(`${dataDir} is in use by another Slipway (process ${process.pid})`);
  expect(await isHeld(lock)()).toBe(false);
  expect(await isHeld(other)()).toBe(true);
});

test("a process that writes nothing locks nothing, and others know that it runs", async () => {
  const presence = await announceProcess(database.connection);
  expect(await holders()).toEqual([]);
  const writer = await acquireDataFolder(database.connection, dataDir);
  expect([await presence.isOnlyProgram(), await writer.isOnlyProgram()]).toEqual([false, false]);
  await presence.release();
  await expect.poll(() => writer.isOnlyProgram()).toBe(true);
  await writer.release();
});
