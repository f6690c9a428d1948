/** An update to a version that cannot start here, over a real driver: the real loop, database and backups around it. */
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { workspaces } from "#database/tables.ts";
import { after, minuteMs } from "#platform/clock.ts";
import { createBackups } from "#apps/provisioner/backups/create-backups.ts";
import { placeLimitMs } from "#apps/provisioner/reconcile/steps/start.ts";
import { readJournal } from "#domain/workspaces/workspace-store.ts";
import { createTestFleet } from "../fleet/test-fleet.ts";
import { askFor, settled, updateOf } from "../fleet/update-scene.ts";
import { buildRunSpec, type DriverHarness } from "./driver-harness.ts";

interface Outcome {
  /** Of the update. */
  reason: string | null;
  /** The events of the failed start and of the rollback, oldest first, each with its detail. */
  lines: { event: string; detail: string | null }[];
}

/**
 * Starts a workspace, stores a file in it, and updates it to a version whose image, or program, is missing. Resolves once it runs the
 * version before again, with that file.
 */
export async function rollBackFailedStart(harness: DriverHarness): Promise<Outcome> {
  let aheadMs = 0;
  const clock = { now: () => after(new Date(), aheadMs) };
  await using fleet = await createTestFleet({ clock });
  const { db } = fleet.database;
  const broken = harness.image ? { image: "absent:1" } : { command: ["/nowhere/engine"] };
  const engine: typeof fleet.engine = {
    ...fleet.engine,
    // A pod needs longer on a busy machine; nothing here waits for it to pass.
    start: { ...fleet.engine.start, readyTimeoutMs: 2 * minuteMs },
    runSpec: ({ id, number, run, generation }, version) =>
      buildRunSpec(harness, {
        workspaceId: id,
        workspaceNumber: number,
        run,
        generation,
        ...(version === "2.1.0" && broken),
      }),
    health: async (address) => {
      const { post } = harness.proving ?? { post: undefined };
      const answer = await (post ? post(address, "report", {}) : reportAt(address)).catch((error: unknown) => error as Error);
      return answer instanceof Error ? { ready: false, detail: answer.message } : { ready: answer.ok };
    },
  };
  const { driver } = harness;
  const loop = fleet.startLoop({
    engine,
    driver,
    backups: createBackups({ ...fleet.backupTools, driver, engine }),
    probeThroughGateway: () => Promise.resolve(true),
  });
  fleet.engine.installed.add("2.1.0");
  const id = await fleet.want("acme");
  try {
    await fleet.until(id, settled("2.0.0"));
    await harness.store(id, "things/flows.json", "as it was");
    await askFor(fleet, id, "2.0.0", "2.1.0");
    if (driver.startsElsewhere) {
      await fleet.until(id, (row) => row.reasonCode === "start-waits" && row.observedState === "starting");
      aheadMs = placeLimitMs.image;
      await db.update(workspaces).set({ reconcileAt: new Date() }).where(eq(workspaces.id, id));
      loop.wake();
    }
    await fleet.until(id, (row) => settled("2.0.0")(row) && row.desiredVersion === "2.0.0");
    expect(await harness.stored(id, "things/flows.json")).toBe("as it was");
    const update = await updateOf(fleet, id);
    expect(update).toMatchObject({ state: "rolled-back", toVersion: "2.1.0" });
    const events = ["no-image", "no-place", "start-failed", "update-rolled-back"];
    const lines = await readJournal(db, id, { most: 10, events });
    return { reason: update.reason, lines: lines.toReversed().map(({ event, detail }) => ({ event, detail })) };
  } finally {
    await loop.stop();
    await driver.remove(id);
  }
}

const reportAt = (address: string) => fetch(`http://${address}/report`, { method: "POST", body: "{}" });
