import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createWorkspaceWatch } from "./workspace-watch.ts";
import { openEvents as open } from "#testing/open-events.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
let url: string;
let followers = 0;
/** Measured answers, by route. */
const measured: string[] = [];
/** Delays the caller's look-up until it is resolved. */
let lookingUp: Promise<void> = Promise.resolve();
beforeAll(async () => {
  api = await createTestApi(async (usual) => {
    const watch = createWorkspaceWatch();
    return {
      onAnswered: ({ route }) => void measured.push(route),
      watch: {
        ...watch,
        follow(...wanted) {
          followers += 1;
          const unfollow = watch.follow(...wanted);
          return () => {
            followers -= 1;
            unfollow();
          };
        },
      },
      findCurrentUser: async (token) => {
        await lookingUp;
        return usual.findCurrentUser(token);
      },
    };
  });
  await api.app.listen({ port: 0, host: "127.0.0.1" });
  url = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  api.app.server.closeAllConnections();
  await api[Symbol.asyncDispose]();
});

async function somebodyWithWorkspace() {
  const somebody = await registerConfirmed(api);
  await api.call("POST", "/api/account/setup", { token: somebody.token, body: { timezone: "Etc/UTC" } });
  return { ...somebody, accountName: String(somebody.form.accountName) };
}

const openEvents = (token: string) => open<{ status: number; reason?: string }>(`${url}/api/instance/events`, token);

const change = (accountName: string, set: string) =>
  api.database.pool.query(`update workspaces set ${set} where account_id = (select id from accounts where name = $1)`, [accountName]);

test("an open panel gets the state immediately and after each change, and nothing in between", async () => {
  const { token, accountName } = await somebodyWithWorkspace();
  // Without a heartbeat, which reads the state again, only a change can be the reason for another event.
  const heartbeat = vi.spyOn(globalThis, "setInterval").mockReturnValue(undefined as unknown as NodeJS.Timeout);
  onTestFinished(() => heartbeat.mockRestore());
  const events = await openEvents(token);
  onTestFinished(events.stop);
  expect(heartbeat.mock.calls.map(([, ms]) => ms)).toEqual([15_000]);
  heartbeat.mockRestore();
  expect(events.answer.headers.get("content-type")).toContain("text/event-stream");
  const seen: { event: string; data: { status: number; reason?: string } }[] = [];
  const reading = (async () => {
    for (let next = await events.next(); next; next = await events.next()) seen.push(next);
  })();
  reading.catch(() => undefined);
  await expect.poll(() => seen).toMatchObject([{ event: "instance", data: { status: 2 } }]);
  for (let times = 0; times < 3; times += 1) api.services.watch.changed(accountName);
  await change(accountName, "observed_state = 'offline', reason = 'not well'");
  api.services.watch.changed(accountName);
  await expect.poll(() => seen.slice(1)).toMatchObject([{ data: { status: 0, reason: "not well" } }]);
  await change(accountName, "reason = 'still not well'");
  api.services.watch.changed(accountName);
  await expect.poll(() => seen.slice(2)).toMatchObject([{ data: { status: 0, reason: "still not well" } }]);
});

test("another account's change is not sent", async () => {
  const [mine, other] = [await somebodyWithWorkspace(), await somebodyWithWorkspace()];
  const events = await openEvents(mine.token);
  await events.next();
  await change(other.accountName, "observed_state = 'offline', reason = 'private to the other'");
  api.services.watch.changed(other.accountName);
  await change(mine.accountName, "observed_state = 'offline', reason = 'mine'");
  api.services.watch.changed(mine.accountName);
  expect(await events.next()).toMatchObject({ data: { reason: "mine" } });
  events.stop();
});

test("the stream sends nothing more once its session has ended", async () => {
  const { token, accountName } = await somebodyWithWorkspace();
  const events = await openEvents(token);
  await events.next();
  await api.call("GET", "/api/auth/logout", { token });
  api.services.watch.changed(accountName);
  expect(await events.next()).toBeNull();
});

test("the stream closes cleanly when the program ends", async () => {
  const { token } = await somebodyWithWorkspace();
  const events = await openEvents(token);
  await events.next();
  api.services.watch.close();
  expect(await events.next()).toBeNull();
  // How long a reader stays says nothing about how quick the answers are.
  expect(measured).toContain("/api/account/setup");
  expect(measured).not.toContain("/api/instance/events");
});

test("a client that leaves while its user is looked up leaves nothing behind, and takes no place", async () => {
  const { token } = await somebodyWithWorkspace();
  const before = followers;
  const { promise, resolve } = Promise.withResolvers<void>();
  lookingUp = promise;
  const { port } = api.app.server.address() as AddressInfo;
  const arrived: Socket[] = [];
  const note = ({ socket }: { socket: Socket }) => void arrived.push(socket);
  api.app.server.on("request", note);
  onTestFinished(() => void api.app.server.off("request", note));
  for (let times = 0; times < 20; times += 1) {
    const socket = connect({ port, host: "127.0.0.1" });
    await once(socket, "connect");
    socket.write(`GET /api/instance/events HTTP/1.1\r\nHost: localhost:3000\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    await vi.waitFor(() => expect(arrived).toHaveLength(times + 1), 20_000);
    socket.destroy();
  }
  await expect.poll(() => arrived.filter(({ destroyed }) => !destroyed).length).toBe(0);
  resolve();
  await delay(200);
  await expect.poll(() => followers).toBe(before);
  expect((await openEvents(token)).answer.status).toBe(200);
});

test("a session and an account can follow in a few windows at a time; others are refused until one is closed", async () => {
  const { token, form } = await somebodyWithWorkspace();
  const open = await Promise.all(Array.from({ length: 40 }, () => openEvents(token)));
  const refused = open.filter(({ answer }) => answer.status !== 200);
  expect(refused).toHaveLength(32);
  expect(refused[0]!.answer.status).toBe(429);
  expect(refused[0]!.answer.headers.get("retry-after")).toBe("60");
  const others: string[] = [];
  for (let device = 0; device < 4; device += 1) {
    const answer = await api.call("POST", "/api/auth/login", { body: { login: form.email, password: form.password } });
    others.push(answer.cookies.find(({ name }) => name === "token")!.value);
  }
  const more = await Promise.all(others.flatMap((other) => Array.from({ length: 8 }, () => openEvents(other))));
  expect(more.filter(({ answer }) => answer.status === 200)).toHaveLength(16);
  for (const events of [...open, ...more]) events.stop();
  await vi.waitFor(async () => expect((await openEvents(token)).answer.status).toBe(200), 20_000);
});
