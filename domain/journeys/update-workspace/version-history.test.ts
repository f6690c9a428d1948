import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RouteAnswer } from "#contract/api/route.ts";
import type { routes } from "#contract/routes.ts";
import { workspaces, workspaceUpdates } from "#database/tables.ts";
import { newId } from "#platform/ids.ts";
import { setUpOwner } from "#testing/accounts/set-up-owner.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";

type History = RouteAnswer<(typeof routes)["getVersionHistory"]>;

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const path = "/api/instance/versions/history";
const minute = (count: number) => new Date(Date.UTC(2026, 10, 1, 0, count));

/** An owner whose workspace runs 2.40.7. */
async function makeOwner() {
  const { token, workspaceId } = await setUpOwner(api);
  const mine = eq(workspaces.id, workspaceId);
  const [workspace] = await api.database.db
    .update(workspaces)
    .set({ observedState: "online", observedVersion: "2.40.7", desiredVersion: "2.40.7", reconcileAt: null })
    .where(mine)
    .returning();
  const insert = (change: Partial<typeof workspaceUpdates.$inferInsert> & { startedAt: Date }) =>
    api.database.db.insert(workspaceUpdates).values({
      id: newId(change.startedAt.getTime()),
      workspaceId,
      life: 1,
      fromVersion: "2.38.7",
      toVersion: "2.40.7",
      askedBy: "owner",
      state: "successful",
      finishedAt: change.startedAt,
      ...change,
    });
  const read = async (query = "") => (await api.call("GET", path + query, { token })).json() as History;
  const renew = () =>
    api.database.db
      .update(workspaces)
      .set({ life: 2, renewedAt: minute(9_000), desiredVersion: "2.38.7", observedVersion: null })
      .where(mine);
  return { token, launchedAt: workspace!.createdAt, insert, read, renew };
}

test("a workspace whose version never changed has the one it was launched with", async () => {
  const { read, launchedAt } = await makeOwner();
  expect(await read()).toEqual({ updates: [], next: null, launch: { version: "2.40.7", at: launchedAt.toISOString() } });
});

test("each change says from which version to which, who asked for it and how it ended, newest first", async () => {
  const { insert, read } = await makeOwner();
  await insert({ startedAt: minute(1), askedBy: "window", state: "rolled-back", reason: "It did not answer." });
  await insert({ startedAt: minute(2), askedBy: "operator" });
  await insert({ startedAt: minute(3), fromVersion: "2.40.7", toVersion: "2.38.7", restoredAt: minute(3) });
  await insert({ startedAt: minute(4), state: "running", finishedAt: null });
  const { updates, launch } = await read();
  expect(updates.map(({ askedBy, state, isRollBack }) => [askedBy, state, isRollBack])).toEqual([
    ["owner", "running", false],
    ["owner", "successful", true],
    ["operator", "successful", false],
    ["window", "rolled-back", false],
  ]);
  expect(updates.at(-1)).toMatchObject({ fromVersion: "2.38.7", toVersion: "2.40.7", reason: "It did not answer." });
  expect(launch?.version).toBe("2.38.7");
});

test("it is read a page at a time, and only the last page knows the launch", async () => {
  const { insert, read } = await makeOwner();
  for (let at = 1; at <= 23; at++) await insert({ startedAt: minute(at), toVersion: `2.40.${at}` });
  const first = await read();
  expect([first.updates.length, first.updates[0]?.toVersion, first.launch]).toEqual([20, "2.40.23", null]);
  const last = await read(`?before=${encodeURIComponent(first.next!)}`);
  expect([last.updates.map(({ toVersion }) => toVersion), last.next]).toEqual([["2.40.3", "2.40.2", "2.40.1"], null]);
  expect(last.launch?.version).toBe("2.38.7");
});

test("a new workspace does not inherit the history of the deleted one, an account not that of another, and a visitor has none", async () => {
  const [one, other] = [await makeOwner(), await makeOwner()];
  await one.insert({ startedAt: minute(1) });
  expect((await other.read()).updates).toEqual([]);
  await one.renew();
  expect(await one.read()).toEqual({ updates: [], next: null, launch: { version: "2.38.7", at: minute(9_000).toISOString() } });
  expect((await api.call("GET", path)).statusCode).toBe(401);
  const { token } = await registerConfirmed(api);
  expect((await api.call("GET", path, { token })).statusCode).toBe(404);
  expect((await api.call("GET", `${path}?before=yesterday`, { token: one.token })).statusCode).toBe(422);
});
