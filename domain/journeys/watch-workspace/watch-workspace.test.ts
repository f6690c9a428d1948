import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
let url: string;
beforeAll(async () => {
  api = await createTestApi();
  await api.app.listen({ port: 0, host: "127.0.0.1" });
  url = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
});
afterAll(() => api[Symbol.asyncDispose]());

async function somebodyWithWorkspace() {
  const somebody = await registerConfirmed(api);
  await api.call("POST", "/api/account/setup", { token: somebody.token, body: { timezone: "Etc/UTC" } });
  return { ...somebody, accountName: String(somebody.form.accountName) };
}

/** Reads one event after the other from the stream. */
async function openEvents(token: string) {
  const stop = new AbortController();
  const answer = await fetch(`${url}/api/instance/events`, { headers: { authorization: `Bearer ${token}` }, signal: stop.signal });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  const next = async (): Promise<{ event: string; data: { status: number; reason?: string } } | null> => {
    for (;;) {
      const end = buffer.indexOf("\n\n");
      if (end >= 0) {
        const [event, data] = buffer.slice(0, end).split("\n");
        buffer = buffer.slice(end + 2);
        if (event?.startsWith("event: ")) return { event: event.slice(7), data: JSON.parse(data!.slice(6)) };
        continue;
      }
      const chunk = await reader.read();
      if (chunk.done) return null;
      buffer += chunk.value;
    }
  };
  return { answer, next, stop: () => stop.abort() };
}

const change = (accountName: string, set: string) => api.database.pool.query(`update workspaces set ${set} where account_id = (select id from accounts where name = $1)`, [accountName]);

test("an open panel is told the state at once and after each change, and nothing in between", async () => {
  const { token, accountName } = await somebodyWithWorkspace();
  const events = await openEvents(token);
  expect(events.answer.headers.get("content-type")).toContain("text/event-stream");
  expect(await events.next()).toMatchObject({ event: "instance", data: { status: 2 } });
  api.services.watch.changed(accountName);
  await change(accountName, "observed_state = 'offline', reason = 'not well'");
  api.services.watch.changed(accountName);
  expect(await events.next()).toMatchObject({ data: { status: 0, reason: "not well" } });
  events.stop();
});

test("somebody else's change is not sent", async () => {
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

test("the stream tells nothing more once its session has ended", async () => {
  const { token, accountName } = await somebodyWithWorkspace();
  const events = await openEvents(token);
  await events.next();
  await api.call("GET", "/api/auth/logout", { token });
  api.services.watch.changed(accountName);
  expect(await events.next()).toBeNull();
});

test("the stream ends well when the program ends", async () => {
  const { token } = await somebodyWithWorkspace();
  const events = await openEvents(token);
  await events.next();
  api.services.watch.close();
  expect(await events.next()).toBeNull();
});
