/** Random histories of workspaces, with workers killed at any step: what must hold in any order. */
import { desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { say } from "#contract/sentences/say.ts";
import { restores, workspaceUpdates } from "#database/tables.ts";
import { requestBackup } from "#domain/backups/request-backup.ts";
import { isNewer } from "#domain/workspaces/newer-version.ts";
import { restoreWorkspace } from "#domain/journeys/backups/restore-workspace.ts";
import { deleteWorkspace } from "#domain/journeys/delete-workspace/delete-workspace.ts";
import { rollBackWorkspace } from "#domain/journeys/update-workspace/roll-back-workspace.ts";
import { changeSettings } from "#domain/journeys/workspace-settings/change-settings.ts";
import { requestUpdate } from "#domain/updates/request-update.ts";
import { StoryInTheWay } from "#domain/workspaces/stories/begin-story.ts";
import { renewWorkspace } from "#domain/workspaces/desired/renew-workspace.ts";
import { setDesiredState } from "#domain/workspaces/desired/set-desired-state.ts";
import { AppError } from "#platform/app-error.ts";
import { seededRandom } from "#platform/seeded-random.ts";
import { contentFile, createStoryScene, versions, type StoryScene } from "#testing/fleet/story-scene.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";

let fleet: TestFleet;
beforeAll(async () => {
  fleet = await createTestFleet();
  versions.forEach((version) => fleet.engine.installed.add(version));
});
afterAll(() => fleet.close());

/** What the owner wants since their last choice, and the version then. */
interface Wanted {
  state: "running" | "stopped" | "deleted";
  version: string | null;
  /** Counts what the owner made in the workspace. */
  works: number;
}

type Random = () => number;
const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)]!;

/** All calls that begin a story. */
const beginnings: Readonly<Record<string, (scene: StoryScene, wanted: Wanted, random: Random) => Promise<unknown>>> = {
  async chooseVersion(scene, wanted, random) {
    const versionName = pick(random, versions);
    await changeSettings(scene.services, await scene.current(), { versionName } as never, "-");
    wanted.version = versionName;
  },
  async updateInWindow({ services: { db }, id, row }, _wanted, random) {
    const { desiredVersion } = await row();
    const toVersion = pick(random, versions);
    if (isNewer(toVersion, desiredVersion))
      await db.transaction((tx) =>
        requestUpdate(
          tx,
          {
            workspaceId: id,
            fromVersion: desiredVersion,
            toVersion,
            askedBy: "window",
            line: { event: "update-requested", message: say("paid") },
          },
          new Date(),
        ),
      );
  },
  async rollBack(scene, wanted) {
    wanted.version = (
      await rollBackWorkspace(scene.services, await scene.current(), { accountName: scene.accountName }, "-")
    ).desiredVersion;
  },
  async restore(scene, _wanted, random) {
    const made = await scene.readBackups();
    if (made.length > 0)
      await restoreWorkspace(scene.services, await scene.current(), {
        id: pick(random, made).row.id,
        accountName: scene.accountName,
        address: "-",
      });
  },
  async backUp({ services: { db }, row }) {
    const workspace = await row();
    if (workspace.desiredState !== "deleted" && workspace.observedVersion) await requestBackup(db, workspace, "manual", new Date());
  },
  pause: (scene, wanted) => want(scene, wanted, "stopped"),
  pay: (scene, wanted) => want(scene, wanted, "running"),
  async remove(scene, wanted) {
    await deleteWorkspace(scene.services, await scene.current(), { accountName: scene.accountName }, "-");
    wanted.state = "deleted";
  },
  async renew({ services: { db }, accountId }, wanted) {
    const renewed = await db.transaction((tx) =>
      renewWorkspace(tx, accountId, { desiredVersion: "2.0.0", timezone: "Etc/UTC", memoryMb: 512 }, new Date()),
    );
    if (renewed) Object.assign(wanted, { state: "running", version: "2.0.0" });
  },
  async work({ id }, wanted) {
    const held = fleet.world.workspaces.get(id);
    if (held?.run) held.storage.set(contentFile, `${(await fleet.row(id)).life} work ${(wanted.works += 1)}`);
  },
  crash: async ({ id }) => fleet.world.crash(id),
  async breakVersion({ broken }, _wanted, random) {
    broken.add(pick(random, versions.slice(1)));
  },
  mend: async ({ broken }) => broken.clear(),
};

async function want({ services: { db }, accountId, row }: StoryScene, wanted: Wanted, state: "running" | "stopped"): Promise<void> {
  const before = await row();
  const did = await db.transaction((tx) => setDesiredState(tx, accountId, state, { event: "paid", message: say("paid") }, new Date()));
  if (!did) return;
  wanted.state = state;
  // A stop gives up a version change that was only queued, with a reason.
  if ((await row()).life > before.life) wanted.version = null;
}

const refusals = (error: unknown) => {
  if (!(error instanceof AppError) && !(error instanceof StoryInTheWay)) throw error;
};

const isSettled = async ({ row, openRows }: StoryScene): Promise<boolean> => {
  const { desiredState, observedState, generation, observedGeneration } = await row();
  const open = await openRows();
  if (desiredState === "stopped")
    return observedState === "stopped" && open.restores.length === 0 && open.updates.every(({ snapshotAt }) => snapshotAt);
  const isThere = observedState === (desiredState === "running" ? "online" : "deleted") && generation === observedGeneration;
  return isThere && open.updates.length === 0 && open.restores.length === 0;
};

async function settle(scene: StoryScene): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    if (await isSettled(scene)) return;
    await scene.pass();
  }
  throw new Error(`it does not settle: ${JSON.stringify([await scene.row(), await scene.openRows()])}`);
}

/** How often each is tried: calls that begin a story, and calls that interfere with one. */
const often: Readonly<Record<string, number>> = {
  chooseVersion: 4,
  updateInWindow: 2,
  rollBack: 2,
  restore: 4,
  backUp: 2,
  pause: 3,
  pay: 4,
  remove: 3,
  renew: 4,
  work: 2,
  crash: 1,
  breakVersion: 2,
  mend: 1,
};
const names = Object.entries(often).flatMap(([name, times]) => Array.from({ length: times }, () => name));

async function live(seed: number): Promise<string[]> {
  const random = seededRandom(seed);
  const scene = await createStoryScene(fleet, `history-${seed}`);
  const wanted: Wanted = { state: "running", version: "2.0.0", works: 0 };
  const said: string[] = [];
  await settle(scene);
  for (let turn = 0; turn < 14; turn += 1) {
    const name = pick(random, names);
    said.push(name);
    // In the middle of a pass, or between two.
    const passing = random() < 0.5 ? scene.pass(random() < 0.3 ? Math.floor(random() * 45) : Infinity, random() < 0.5) : Promise.resolve();
    await new Promise((resolve) => setTimeout(resolve, random() * 40));
    await beginnings[name]!(scene, wanted, random).catch(refusals);
    await passing;
    if (random() < 0.2) await scene.makeBackups(random() < 0.5 ? Math.floor(random() * 20) : Infinity, random() < 0.5);
    for (let passes = Math.floor(random() * 3); passes > 0; passes -= 1)
      await scene.pass(random() < 0.6 ? Math.floor(random() * 45) : Infinity, random() < 0.5);
  }
  scene.broken.clear();
  await settle(scene);
  return check(scene, wanted).then((found) => found.map((each) => `history ${seed} (${said.join(", ")}): ${each}`));
}

/** All violations found. */
async function check(scene: StoryScene, wanted: Wanted): Promise<string[]> {
  const { db } = fleet.database;
  const found = [...scene.violations];
  const row = await scene.row();
  if (row.desiredState !== wanted.state) found.push(`${wanted.state} was chosen, ${row.desiredState} is desired`);
  const updates = await db
    .select()
    .from(workspaceUpdates)
    .where(eq(workspaceUpdates.workspaceId, scene.id))
    .orderBy(desc(workspaceUpdates.startedAt));
  const [restored] = await db.select().from(restores).where(eq(restores.workspaceId, scene.id)).orderBy(desc(restores.createdAt)).limit(1);
  // Another version than the chosen one needs a newer change, or a change to the chosen version with the reason why it ended.
  const isTold = updates.some(
    ({ toVersion, state, reason, life, askedBy }) =>
      life === row.life && (askedBy === "window" || (toVersion === wanted.version && state !== "successful" && reason !== null)),
  );
  if (wanted.state === "running" && wanted.version !== null && row.desiredVersion !== wanted.version && !isTold)
    found.push(`${wanted.version} was chosen, and ${row.desiredVersion} is desired without a word`);
  if (wanted.state === "running" && row.observedVersion !== row.desiredVersion)
    found.push(`${row.observedVersion} runs, ${row.desiredVersion} is desired`);
  for (const { state, reason } of [...updates, ...(restored ? [restored] : [])])
    if (["failed", "rolled-back"].includes(state) && !reason) found.push("something failed without a reason");
  const made = await scene.readBackups();
  for (const {
    row: { id, kind, engineVersion },
    schema,
  } of made) {
    if (!schema) continue;
    const isTrue = kind === "manual" ? schema === engineVersion : !isNewer(schema, engineVersion);
    if (!isTrue) found.push(`the ${kind} backup ${id} says ${engineVersion} and holds ${schema}`);
  }
  const content = fleet.world.workspaces.get(scene.id)?.storage.get(contentFile);
  const isForeign = content !== undefined && !content.startsWith(`${row.life} `) && content !== `made in life ${row.life}`;
  // Data of an earlier life only through a restore chosen in this one, or a rollback to it.
  const chosen = await db.select().from(restores).where(eq(restores.workspaceId, scene.id));
  if (isForeign && !chosen.some(({ life, placedAt }) => life === row.life && placedAt))
    found.push(`life ${row.life} has what was "${content}"`);
  return found;
}

test("in any order, and wherever workers are killed, every story ends in its own life as its owner chose, and no version runs on a newer database", async () => {
  const histories = process.env["HISTORIES"]
    ? process.env["HISTORIES"].split(",").map(Number)
    : [...Array.from({ length: 21 }, (_, index) => index + 1), 78, 96, 113];
  const found: string[] = [];
  const next = async (): Promise<void> => {
    for (let seed = histories.shift(); seed !== undefined; seed = histories.shift()) {
      const number = seed;
      found.push(...(await live(number).catch((error: unknown) => [`history ${number}: ${(error as Error).stack}`])));
    }
  };
  await Promise.all(Array.from({ length: 10 }, next));
  expect(found).toEqual([]);
});
