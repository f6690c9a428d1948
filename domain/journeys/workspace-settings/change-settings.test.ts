import { auditLog, engineInstalls, workspaces } from "#database/tables.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { notePresence } from "#domain/workspaces/present-releases.ts";
import { minuteMs } from "#platform/clock.ts";
import { setUpOwner } from "#testing/accounts/set-up-owner.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

/** An owner with an online workspace. */
async function owner(changes: Partial<typeof workspaces.$inferInsert> = {}) {
  const { token, accountId, form } = await setUpOwner(api);
  const { user } = (await api.call("GET", "/api/auth/me", { token })).json<{ user: { id: string; account: { name: string } } }>();
  await api.database.db
    .update(workspaces)
    .set({ observedState: "online", observedGeneration: 1, observedVersion: "2.40.7", reconcileAt: null, ...changes })
    .where(eq(workspaces.accountId, accountId));
  return { token, accountId, form, userId: user.id };
}

const get = async (token: string) => (await api.call("GET", "/api/instance", { token })).json<Instance>();
const put = (token: string, body: unknown) => api.call("PUT", "/api/instance/configuration", { token, body });
const row = async (accountId: string) => (await api.database.db.select().from(workspaces).where(eq(workspaces.accountId, accountId)))[0]!;
/** The instance object with status removed. */
const payload = ({ status: _status, ...instance }: Instance, changes: object = {}) => ({ ...instance, ...changes });

test("the instance with another timezone is saved, and its workspace restarts", async () => {
  const { token, accountId, userId } = await owner();
  const answer = await put(token, payload(await get(token), { timezone: "Europe/Berlin" }));
  expect(answer.statusCode).toBe(202);
  expect(answer.json()).toMatchObject({ status: 2, timezone: "Europe/Berlin" });
  expect(await row(accountId)).toMatchObject({ timezone: "Europe/Berlin", generation: 2, failures: 0, reconcileAt: expect.any(Date) });
  const { entries } = (await api.call("GET", "/api/instance/journal", { token })).json<{ entries: object[] }>();
  expect(entries[0]).toMatchObject({
    event: "settings-changed",
    message: "The timezone was changed from Etc/UTC to Europe/Berlin.",
    by: "Ada Lovelace",
  });
  const audit = await api.database.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.accountId, accountId), eq(auditLog.action, "workspace.configured")));
  expect(audit).toEqual([
    expect.objectContaining({
      userId,
      before: { timezone: "Etc/UTC" },
      after: { timezone: "Europe/Berlin" },
      address: expect.stringMatching(/^10\./),
    }),
  ]);
});

test("settings that the running process does not need are saved without a restart", async () => {
  const { token, accountId } = await owner();
  const configuration = {
    channel: "newest",
    autoUpdate: true,
    maintenanceWindow: { weekday: "monday", startHour: 22 },
    executionsToKeep: 1000,
  };
  const answer = await put(token, payload(await get(token), { configuration }));
  expect(answer.json()).toMatchObject({ status: 1, configuration });
  expect(await row(accountId)).toMatchObject({
    channel: "newest",
    autoUpdate: true,
    maintenanceWindow: { weekday: "monday", startHour: 22 },
    generation: 1,
    reconcileAt: null,
  });
});

test("saving unchanged settings changes and writes nothing", async () => {
  const { token, accountId } = await owner();
  expect((await put(token, payload(await get(token)))).statusCode).toBe(202);
  expect((await row(accountId)).generation).toBe(1);
  expect(
    await api.database.db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.accountId, accountId), eq(auditLog.action, "workspace.configured"))),
  ).toEqual([]);
});

test("of two tabs that save, the second is refused, and nothing of the first is lost", async () => {
  const { token } = await owner();
  const seenByBoth = await get(token);
  expect((await put(token, payload(seenByBoth, { timezone: "Europe/Berlin" }))).statusCode).toBe(202);
  const second = await put(token, payload(seenByBoth, { configuration: { ...seenByBoth.configuration, executionsToKeep: 500 } }));
  expect([second.statusCode, second.json()]).toMatchObject([409, { code: "settings_changed" }]);
  expect(await get(token)).toMatchObject({ timezone: "Europe/Berlin", configuration: { executionsToKeep: 1000 } });
});

test("keeping fewer executions needs the password, typed within ten minutes; nothing is saved before, and keeping more never asks", async () => {
  const { token, accountId, form } = await owner();
  const save = (executionsToKeep: number, timezone = "Europe/Berlin") =>
    put(token, { timezone, configuration: { channel: "newest", executionsToKeep } });
  const type = () =>
    api.call("POST", "/api/auth/confirm-password", {
      headers: { authorization: `Bearer ${token}` },
      body: { password: form["password"] },
    });
  api.clock.advance(10 * minuteMs);
  expect((await save(500)).json()).toMatchObject({ status: 403, code: "password_needed" });
  expect(await row(accountId)).toMatchObject({ executionsToKeep: null, timezone: "Etc/UTC", channel: "stable", generation: 1 });
  expect((await save(1000)).statusCode).toBe(202);
  await type();
  api.clock.advance(10 * minuteMs - 1);
  expect((await save(500)).statusCode).toBe(202);
  api.clock.advance(1);
  expect((await save(499)).json()).toMatchObject({ code: "password_needed" });
  expect((await save(500, "Asia/Tokyo")).statusCode).toBe(202);
  expect((await save(1000)).statusCode).toBe(202);
  expect(await row(accountId)).toMatchObject({ executionsToKeep: null });
});

test("of two simultaneous saves, one is the first", async () => {
  const { token } = await owner();
  const seen = await get(token);
  const answers = await Promise.all(
    ["Europe/Berlin", "Asia/Tokyo", "Europe/Paris"].map((timezone) => put(token, payload(seen, { timezone }))),
  );
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([202, 409, 409]);
});

test("as many executions are kept as the plan keeps, unless the owner sets fewer; the plan's own number follows the plan", async () => {
  const { token, accountId } = await owner();
  const kept = async () => [(await get(token)).configuration.executionsToKeep, (await row(accountId)).executionsToKeep];
  const set = async (executionsToKeep: number) =>
    (await put(token, { configuration: { ...(await get(token)).configuration, executionsToKeep } })).statusCode;
  const grant = (specId: string) =>
    api.database.pool.query("update subscriptions set spec_id = $1 where account_id = $2", [specId, accountId]);
  expect(await kept()).toEqual([1000, null]);
  await grant("pro-1");
  expect(await kept()).toEqual([10_000, null]);
  expect(await set(4000)).toBe(202);
  expect(await kept()).toEqual([4000, 4000]);
  await grant("starter");
  expect(await kept()).toEqual([2500, 4000]);
  // What was only shown is not taken for a choice.
  expect(await set(2500)).toBe(202);
  expect(await kept()).toEqual([2500, 4000]);
  await grant("pro-1");
  expect(await set(10_001)).toBe(422);
  expect(await set(10_000)).toBe(202);
  expect(await kept()).toEqual([10_000, null]);
  const { rows } = await api.database.pool.query<{ text: string }>(
    "select message as text from workspace_journal j join workspaces w on w.id = j.workspace_id where w.account_id = $1 and event = 'settings-changed' order by j.id desc limit 1",
    [accountId],
  );
  expect(rows[0]!.text).toBe("10,000 executions are kept instead of 4,000.");
});

test("a restart in between does not count as a change of the settings", async () => {
  const { token } = await owner();
  const seen = await get(token);
  await api.call("PUT", "/api/instance/restart", { token });
  expect((await put(token, payload(seen, { timezone: "Asia/Tokyo" }))).statusCode).toBe(202);
});

test.each([
  [{ timezone: "Mars/Olympus" }, "timezone", "timezone.invalid"],
  [{ versionName: "9.9.9" }, "versionName", "version.unknown"],
  [{ versionName: "2.38.7" }, "versionName", "version.downgrade"],
  [{ configuration: { executionsToKeep: 99 } }, "configuration.executionsToKeep", "executions.too_few"],
  [{ configuration: { executionsToKeep: 100_001 } }, "configuration.executionsToKeep", "executions.too_many"],
  [{ configuration: { executionsToKeep: 9_999 } }, "configuration.executionsToKeep", "executions.over_plan"],
  [
    { configuration: { maintenanceWindow: { weekday: "monday", startHour: 24 } } },
    "configuration.maintenanceWindow.startHour",
    "value.invalid",
  ],
])("%j is refused at its field, and nothing is saved", async (change, path, code) => {
  const { token, accountId } = await owner();
  const before = await row(accountId);
  const answer = await put(token, { ...change, ...("timezone" in change ? {} : { timezone: "Asia/Tokyo" }) });
  expect([answer.statusCode, answer.json()]).toMatchObject([
    422,
    { code: "validation_failed", errors: [{ path, code, message: expect.any(String) }] },
  ]);
  expect(await row(accountId)).toEqual(before);
});

test("the versions are the releases, marked if they need a migration or cannot be reverted", async () => {
  const { token } = await owner({ desiredVersion: "2.38.7", observedVersion: "2.38.7" });
  const versions = async () => (await api.call("GET", "/api/instance/versions", { token })).json();
  expect(await versions()).toEqual({
    current: "2.38.7",
    versions: [
      {
        name: "2.40.7",
        releasedAt: "2026-09-26T01:16:11.199Z",
        channel: "stable",
        needsMigration: true,
        isPossible: true,
        notes: "https://notes.example/2.40.7",
      },
      { name: "2.38.7", releasedAt: "2026-09-12T10:33:24.778Z", channel: "stable", needsMigration: false, isPossible: true },
    ],
  });
  expect((await put(token, { versionName: "2.40.7" })).json()).toMatchObject({
    versionName: "2.40.7",
    runningVersion: "2.38.7",
    status: 2,
  });
  expect(await versions()).toMatchObject({
    current: "2.40.7",
    versions: [{ needsMigration: false }, { name: "2.38.7", isPossible: false }],
  });
});

test("a version whose image is missing is not offered, and refused with a sentence before anything is changed", async () => {
  const { token, accountId } = await owner({ desiredVersion: "2.38.7", observedVersion: "2.38.7" });
  const stranger = await registerConfirmed(api);
  const note = (version: string, reason: string | null) =>
    notePresence(api.database.db, { engine: "n8n", version, reason }, api.clock.now());
  const offered = async (of: string) => {
    const { versions, current } = (await api.call("GET", "/api/instance/versions", { token: of })).json();
    return { current, names: versions.map(({ name }: { name: string }) => name) };
  };
  try {
    await note("2.40.7", "the image r.example/n8n:2.40.7-1 cannot be pulled: not found");
    await note("2.38.7", null);
    expect(await offered(token)).toEqual({ current: "2.38.7", names: ["2.38.7"] });
    expect(await offered(stranger.token)).toEqual({ current: "2.38.7", names: ["2.38.7"] });
    const before = await row(accountId);
    const refused = {
      status: 422,
      errors: [{ path: "versionName", code: "version.missing", message: "This version is not available at the moment. Try again later." }],
    };
    expect((await put(token, { versionName: "2.40.7" })).json()).toMatchObject(refused);
    expect(await row(accountId)).toEqual(before);
    const setUp = (body: object) => api.call("POST", "/api/account/setup", { token: stranger.token, body });
    expect((await setUp({ versionName: "2.40.7" })).json()).toMatchObject(refused);
    expect((await setUp({})).json().user.account.instance).toMatchObject({ versionName: "2.38.7" });
    // Its own version is listed even if it is the one that is missing.
    await note("2.40.7", null);
    await note("2.38.7", "gone");
    expect(await offered(token)).toEqual({ current: "2.38.7", names: ["2.40.7", "2.38.7"] });
    expect((await put(token, { versionName: "2.40.7" })).statusCode).toBe(202);
  } finally {
    await api.database.db.delete(engineInstalls);
  }
});

test("settings of a stopped workspace are kept for its next start", async () => {
  const { token, accountId } = await owner({ desiredState: "stopped", observedState: "stopped" });
  expect((await put(token, { timezone: "Asia/Tokyo" })).statusCode).toBe(202);
  expect(await row(accountId)).toMatchObject({ desiredState: "stopped", timezone: "Asia/Tokyo" });
});

test("visitors, and accounts without a workspace, are refused", async () => {
  const { token } = await registerConfirmed(api);
  expect((await put(token, { timezone: "Asia/Tokyo" })).json()).toMatchObject({ code: "workspace_not_found" });
  expect((await api.call("PUT", "/api/instance/configuration", { body: {} })).statusCode).toBe(401);
});

test("a double click restarts once, a later click again", async () => {
  const { token, accountId } = await owner();
  const restart = () => api.call("PUT", "/api/instance/restart", { token });
  const clicks = await Promise.all([restart(), restart(), restart()]);
  expect(clicks.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202]);
  expect((await row(accountId)).generation).toBe(2);
  const { entries } = (await api.call("GET", "/api/instance/journal", { token })).json<{ entries: { event: string }[] }>();
  expect(entries.filter(({ event }) => event === "restart-requested")).toHaveLength(1);
  api.clock.advance(11_000);
  await restart();
  expect((await row(accountId)).generation).toBe(3);
});
