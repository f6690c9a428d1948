/** The service's half of a release: whether the program that runs includes it, and its fleet update. */
import { listFleetUpdates } from "#domain/updates/fleet/fleet-update-store.ts";
import { readPresence } from "#domain/workspaces/present-releases.ts";
import { startOfOldestProgram } from "#platform/postgres/server/data-folder-lock.ts";
import { CommandRefused, type Command, type OpsContext } from "#apps/ops/command.ts";
import { updateFleet } from "#apps/ops/commands/fleet/update-fleet.ts";
import { runCommand, type OpenContext } from "#apps/ops/run-command.ts";
import { drivers } from "#apps/program/choices/create-driver.ts";
import { arrivedAt, type Target } from "./catalogue.ts";
import { StepStopped } from "./run-steps.ts";

/** Opens the service's database as for an operator's command. */
export type OpenService = (command: Command) => Promise<OpenContext>;

async function withService<Result>(open: OpenService, work: (context: OpsContext) => Promise<Result>): Promise<Result> {
  const { context, close } = await open(updateFleet).catch(stopWhereRefused);
  try {
    return await work(context);
  } finally {
    await close();
  }
}

function stopWhereRefused(error: unknown): never {
  throw error instanceof CommandRefused ? new StepStopped(error.message) : error;
}

/**
 * Null if the program that runs includes the release, and its image is there if workspaces run from images. Otherwise what to do, as
 * sentences. Of a program in another clone only its start is known; if it is older after all, its worker refuses the first update, and the
 * fleet update stops there.
 */
export function whyNotRunning(open: OpenService, target: Target): Promise<string | null> {
  return withService(open, async ({ config, db, clock }) => {
    if (config.engine !== target.engine)
      return `This service runs ${config.engine} (ENGINE). Use the settings of the service that runs ${target.engine}.`;
    if (drivers[config.driver].runsImages) {
      const missing = (await readPresence(db, config.engine, clock.now())).get(target.version);
      if (missing === null) return null;
      return missing === undefined
        ? "No worker knows this release with its image yet. Push the image, push the commit, upgrade the service (docs/runbooks/upgrade.md), and run this again."
        : `Its image is missing: ${missing}. What to do: docs/runbooks/missing-image.md. Then run this again.`;
    }
    const startedAt = await startOfOldestProgram(db);
    if (startedAt === null) return "The service does not run. Start it from this commit, and run this again.";
    return startedAt > arrivedAt(target)
      ? null
      : "A program of the service started before this release was there. Push the commit, restart each process from it (docs/runbooks/upgrade.md), and run this again.";
  });
}

/** Why no fleet update to the release has to begin, or null. Throws StepStopped if an earlier one to it needs a decision. */
export function fleetUpdateUnderWay(open: OpenService, { engine, version }: Target): Promise<string | null> {
  return withService(open, async ({ db }) => {
    const [last] = await listFleetUpdates(db, engine, 1);
    if (last?.toVersion !== version) return null;
    if (last.state === "running") return "Its fleet update is running. How far it is: npm run ops -- fleet-updates";
    // Workspaces that began meanwhile are taken by another one.
    if (last.state === "done") return null;
    throw new StepStopped(
      `Its fleet update ${last.id} is ${last.state}. See npm run ops -- fleet-updates, and docs/runbooks/update-the-fleet.md for what to do.`,
    );
  });
}

/** Stores the plan of a fleet update, or shows it with `--dry-run`, as `npm run ops -- update-fleet` does. Throws StepStopped. */
export const runUpdateFleet = (open: OpenService, args: readonly string[]): Promise<void> =>
  runCommand([updateFleet], [updateFleet.name, ...args], open).catch(stopWhereRefused);
