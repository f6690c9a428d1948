/** The operator's commands for a fleet update that has begun. */
import { directFleetUpdate, type Direction } from "#domain/updates/fleet/direct-fleet-update.ts";
import { countSince } from "#domain/updates/fleet/fleet-health.ts";
import { listFleetUpdates, listPlanned, type FleetUpdate } from "#domain/updates/fleet/fleet-update-store.ts";
import { newestUpdate } from "#domain/updates/update-store.ts";
import { CommandRefused, type Command, type CommandInput, type OpsContext } from "../../command.ts";
import { describeFleetUpdate, sinceWords, workspacesOf } from "./describe-fleet-update.ts";

/** Operators look at the last ones. */
const mostListed = 50;
const idOption = { id: { type: "string", summary: "the fleet update; without it, the newest one" } } as const;

/** Shows how far the newest fleet update, or another one, is. */
export const fleetUpdateList: Command = {
  name: "fleet-updates",
  options: idOption,
  summary: "Show how far the newest fleet update is, and which workspaces were left out, failed or are in trouble. Others are listed",
  async run(context, input) {
    const { db, print } = context;
    const { chosen, all } = await find(context, input).catch((error: unknown) => {
      if (error instanceof NoFleetUpdate) return { chosen: null, all: [] };
      throw error;
    });
    if (!chosen) return print("There was no fleet update.");
    for (const line of await describeFleetUpdate(db, chosen)) print(line);
    for (const { id, toVersion, state, startedAt } of all)
      if (id !== chosen.id) print(`Another one: ${id} to ${toVersion}, begun ${startedAt.toISOString()}, ${state}.`);
  },
};

/** Stops a running fleet update. */
export const stopFleetUpdate: Command = {
  name: "stop-fleet-update",
  options: idOption,
  summary: "Stop the fleet update: no further workspace is updated. Updates under way finish",
  run: (context, input) => direct(context, input, "stop", "is stopped. Updates under way finish; no other begins."),
};

/** Continues a stopped fleet update. */
export const resumeFleetUpdate: Command = {
  name: "resume-fleet-update",
  options: idOption,
  summary: "Continue a stopped fleet update. What failed so far does not stop it again; its wave is watched anew",
  run: (context, input) => direct(context, input, "resume", "continues."),
};

/** Gives up the rest of a stopped fleet update, or of its rollback. */
export const endFleetUpdate: Command = {
  name: "end-fleet-update",
  options: idOption,
  summary: "End a stopped fleet update, or its rollback: what was done stays so, the others stay as they are, and another one can begin",
  run: (context, input) => direct(context, input, "end", "has ended."),
};

/** Takes every workspace of a fleet update back to its version and data of before. */
export const rollBackFleetUpdate: Command = {
  name: "roll-back-fleet-update",
  options: {
    ...idOption,
    yes: { type: "boolean", summary: "roll back; without this option, only show what would be rolled back and lost" },
  },
  summary: "Return every updated workspace to its version and data from before the fleet update. What was made since is in a backup",
  asksWhy: true,
  async run(context, input) {
    if (input.options["yes"] === true)
      return direct(context, input, "roll-back", "is being rolled back. How far it is: npm run ops -- fleet-updates");
    const { db, clock, print } = context;
    const { chosen } = await find(context, input);
    const planned = await listPlanned(db, { id: chosen.id, states: ["updated", "updating"] });
    let possible = 0;
    for (const each of planned) {
      const newest = await newestUpdate(db, each.workspaceId);
      const isLast = each.state === "updating" || (newest?.update.id === each.updateId && each.desiredVersion === chosen.toVersion);
      const hasBackup = each.state === "updating" || newest?.keptUntil != null;
      if (each.desiredState !== "running" || !isLast || !hasBackup) {
        const why = each.desiredState !== "running" ? "it does not run" : isLast ? "its backup is gone" : "it was changed since";
        print(`${each.accountName}: would stay on ${chosen.toVersion}, because ${why}`);
        continue;
      }
      possible += 1;
      const since = each.state === "updating" ? "its update is still under way" : sinceWords(await countSince(db, each, clock.now()));
      print(`${each.accountName}: would return to ${each.fromVersion}; ${since}${each.state === "updating" ? "" : " would be lost there"}`);
    }
    print(`${workspacesOf(possible)} would be rolled back. Nothing was changed. What was made since is backed up first. Add --yes.`);
  },
};

class NoFleetUpdate extends CommandRefused {}

async function find({ db, config }: OpsContext, { options }: CommandInput): Promise<{ chosen: FleetUpdate; all: FleetUpdate[] }> {
  const all = await listFleetUpdates(db, config.engine, mostListed);
  const chosen = options["id"] === undefined ? all[0] : all.find(({ id }) => id === options["id"]);
  if (!chosen && options["id"] === undefined) throw new NoFleetUpdate("There was no fleet update.");
  if (!chosen) throw new CommandRefused(`There is no fleet update ${String(options["id"])}. See npm run ops -- fleet-updates.`);
  return { chosen, all };
}

async function direct(context: OpsContext, input: CommandInput, direction: Direction, done: string): Promise<void> {
  const { db, clock, print, operator, reason = null } = context;
  const { chosen } = await find(context, input);
  const result = await directFleetUpdate(db, { id: chosen.id, direction, operator, reason }, clock.now());
  if ("refused" in result) throw new CommandRefused(result.refused);
  print(`The fleet update ${chosen.id} to ${chosen.toVersion} ${done}`);
}
