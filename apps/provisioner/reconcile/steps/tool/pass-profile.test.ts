import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { accounts } from "#database/tables.ts";
import { saveApps, touchProfile } from "#domain/accounts/onboarding-store.ts";
import { saveAnswer } from "#domain/surveys/survey-store.ts";
import { makeAccountDue } from "#domain/workspaces/observed/due-store.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";

async function accountOf(fleet: TestFleet, name: string): Promise<string> {
  const [row] = await fleet.database.db.select({ id: accounts.id }).from(accounts).where(eq(accounts.name, name));
  return row!.id;
}

async function answer(fleet: TestFleet, name: string, workArea: string): Promise<void> {
  const { db } = fleet.database;
  const id = await accountOf(fleet, name);
  const now = new Date();
  await saveAnswer(db, id, "personalization", { workArea }, now);
  await saveApps(db, id, ["n8n-nodes-base.slack"]);
  await touchProfile(db, id, now);
  await makeAccountDue(db, id, now);
}

const passed = (row: { profilePassedAt: Date | null }) => row.profilePassedAt !== null;

test("answers from before the launch reach the workspace once, however often it is checked", async () => {
  await using fleet = await createTestFleet();
  const id = await fleet.want("acme");
  await answer(fleet, "acme", "finance");
  fleet.startLoop();
  await fleet.until(id, (row) => passed(row) && row.observedState === "online");
  fleet.world.crash(id);
  await fleet.until(id, (row) => row.failures > 0 && row.observedState === "online");
  expect(fleet.engine.profiles.get(id)).toEqual([
    { username: "acme", selectedApps: ["n8n-nodes-base.slack"], answers: { workArea: "finance" } },
  ]);
});

test("an answer that is changed later reaches the running workspace, without a restart", async () => {
  await using fleet = await createTestFleet();
  const loop = fleet.startLoop();
  const id = await fleet.want("acme");
  const before = await fleet.until(id, (row) => passed(row) && row.observedState === "online");
  await answer(fleet, "acme", "legal");
  loop.wake();
  const row = await fleet.until(id, ({ profilePassedAt }) => profilePassedAt!.getTime() !== before.profilePassedAt!.getTime());
  expect(fleet.engine.profiles.get(id)!.at(-1)).toMatchObject({ answers: { workArea: "legal" } });
  expect(row.startedAt).toEqual(before.startedAt);
  expect(await fleet.journal(id)).toEqual(["requested", "started", "online"]);
});

test("a workspace that refuses the profile is online anyway, and gets it at a later check", async () => {
  await using fleet = await createTestFleet();
  fleet.engine.profileFails = new Error("n8n refused its owner's profile: 404");
  const loop = fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, (row) => row.observedState === "online" && row.leaseOwner === null);
  expect((await fleet.row(id)).profilePassedAt).toBeNull();
  fleet.engine.profileFails = null;
  await makeAccountDue(fleet.database.db, await accountOf(fleet, "acme"), new Date());
  loop.wake();
  await fleet.until(id, passed);
  expect(fleet.engine.profiles.get(id)).toHaveLength(1);
});
