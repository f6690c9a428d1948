import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { subscriptions, usagePeriods, workspaces } from "#database/tables.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

test("an account over its quota can still read, export and delete", async () => {
  const { token, form } = await registerConfirmed(api);
  await api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } });
  const { db } = api.database;
  const [subscription] = await db.select().from(subscriptions);
  const { accountId, startedAt } = subscription!;
  await db
    .insert(usagePeriods)
    .values({ accountId, startsAt: startedAt, executions: 1_000_000 })
    .onConflictDoUpdate({ target: [usagePeriods.accountId, usagePeriods.startsAt], set: { executions: 1_000_000 } });
  await db
    .update(workspaces)
    .set({
      observedState: "online",
      observedGeneration: 1,
      observedVersion: "2.40.7",
      ownerSetUpAt: new Date(),
      activeWorkflows: 500,
      usageReadAt: new Date(),
      reconcileAt: null,
    })
    .where(eq(workspaces.accountId, accountId));
  const calls = [
    ["GET", "/api/auth/me"],
    ["GET", "/api/instance/used-limits"],
    ["GET", "/api/export"],
    ["POST", "/api/export/backups"],
    ["POST", "/api/export/workflows", { withCredentials: false }],
    ["POST", "/api/instance/delete", { accountName: form.accountName }],
  ] as const;
  for (const [method, path, body] of calls) {
    const answer = await api.call(method, path, { token, ...(body ? { body } : {}) });
    expect([path, answer.statusCode < 300, answer.body.slice(0, answer.statusCode < 300 ? 0 : 300)]).toEqual([path, true, ""]);
  }
});
