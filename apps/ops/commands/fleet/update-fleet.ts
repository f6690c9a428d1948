import { insertFleetUpdate } from "#domain/updates/fleet/fleet-update-store.ts";
import {
  FleetChoiceInvalid,
  planFleetUpdate,
  type FleetChoice,
  type FleetPlan,
  type WaveSize,
} from "#domain/updates/fleet/plan-fleet-update.ts";
import { updatesAtOnce } from "#domain/updates/update-room.ts";
import { readPresence } from "#domain/workspaces/present-releases.ts";
import { drivers } from "../../../program/choices/create-driver.ts";
import { releasesOf } from "../../../provisioner/engines/releases/releases-of.ts";
import { CommandRefused, type Command, type CommandInput, type OpsContext } from "../../command.ts";
import { describeLeftOut, workspacesOf } from "./describe-fleet-update.ts";

const usualWaves = "1,5,25,100%";
const usualSoakMinutes = 30;
/** A day: what needs longer is not found by waiting. */
const longestSoakMinutes = 24 * 60;

/** Plans an update of the fleet in waves of growing size. Workers carry it out, and stop it if updated workspaces fail. */
export const updateFleet: Command = {
  name: "update-fleet",
  parameters: ["version"],
  options: {
    canaries: { type: "string", summary: "account names of the first wave, separated by commas" },
    waves: { type: "string", summary: `the sizes of the waves after it as numbers or percentages, ${usualWaves} by default` },
    soak: { type: "string", summary: `for how many minutes each wave is watched before the next one, ${usualSoakMinutes} by default` },
    "at-once": {
      type: "string",
      summary: `how many workspaces of a host are updated at a time, ${updatesAtOnce} by default; a cluster is one host`,
    },
    "max-failures": { type: "string", summary: "stop after this many workspaces that failed, crashed or are offline, 1 by default" },
    "max-failed-percent": {
      type: "string",
      summary: "stop if a workspace's share of failed executions grows by more percentage points, 10 by default",
    },
    only: { type: "string", summary: "account names: update only these workspaces, also if the version failed there before" },
    except: { type: "string", summary: "account names: leave these workspaces out" },
    "allow-downgrade": { type: "boolean", summary: "also take workspaces that run a newer version" },
    "dry-run": { type: "boolean", summary: "only show the plan" },
  },
  summary: "Update all running workspaces to a version, in waves. The workers carry it out; `fleet-updates` shows how far they are",
  async run(context, { arguments: [version = ""], options }) {
    const { config, db, clock, print, operator, reason = null } = context;
    const releases = releasesOf(config.engine);
    if (!releases.some((release) => release.version === version))
      throw new CommandRefused(
        `${version} is not a qualified release. Qualified releases: ${releases.map((release) => release.version).join(", ")}.`,
      );
    await refuseMissing(context, version);
    const limits = readLimits(options);
    const choice: FleetChoice = {
      engine: config.engine,
      releases,
      toVersion: version,
      canaries: readNames(options["canaries"]) ?? [],
      only: readNames(options["only"]),
      except: readNames(options["except"]) ?? [],
      allowsDowngrade: options["allow-downgrade"] === true,
      waves: readWaves(String(options["waves"] ?? usualWaves)),
    };
    // In one transaction: the plan that is printed is the one that is stored.
    const { plan, update } = await db
      .transaction(async (tx) => {
        const made = await planFleetUpdate(tx, choice);
        if (options["dry-run"] === true || made.waves.length === 0) return { plan: made, update: null };
        const row = await insertFleetUpdate(
          tx,
          { engine: config.engine, toVersion: version, waves: made.waves.length, ...limits, operator, reason },
          made.rows,
          clock.now(),
        );
        if (!row)
          throw new CommandRefused("Another fleet update is unfinished. See npm run ops -- fleet-updates, and stop and end it first.");
        return { plan: made, update: row };
      })
      .catch((error: unknown) => {
        if (error instanceof FleetChoiceInvalid) throw new CommandRefused(error.message);
        throw error;
      });
    for (const line of describePlan(plan, version, limits)) print(line);
    if (update)
      print(`The fleet update ${update.id} has begun, and the workers carry it out. How far they are: npm run ops -- fleet-updates`);
    else print(plan.waves.length === 0 ? "There is nothing to update." : "Nothing was changed.");
  },
};

interface Limits {
  soakSeconds: number;
  atOnce: number;
  mostFailures: number;
  mostFailedPercent: number;
}

function describePlan({ waves, asleep, notReady, already, leftOut }: FleetPlan, version: string, limits: Limits): string[] {
  const total = waves.reduce((sum, size) => sum + size, 0);
  const lines = [
    `${workspacesOf(total)} to update to ${version}${total > 0 ? `, in waves of ${waves.join(", ")}` : ""}. On it already: ${already}.`,
  ];
  if (total > 0)
    lines.push(
      `Updated at a time on each host: ${limits.atOnce}. Each wave is watched for ${limits.soakSeconds / 60} minutes before the next one.`,
    );
  if (asleep > 0) lines.push(`Asleep: ${asleep}. They come after those that are awake, and wake for the update.`);
  if (notReady > 0) lines.push(`Not online now: ${notReady}. They come last, and are left out if they are not online within 15 minutes.`);
  return [...lines, ...describeLeftOut(leftOut)];
}

/** Where workspaces run from images, no workspace is touched before the image of this version is known to be there. */
async function refuseMissing({ config, db, clock }: OpsContext, version: string): Promise<void> {
  if (!drivers[config.driver].runsImages) return;
  const missing = (await readPresence(db, config.engine, clock.now())).get(version);
  if (missing === null) return;
  throw new CommandRefused(
    missing === undefined
      ? `No worker has proved yet that the image of ${version} can be pulled. Nothing was changed. A running worker does that within minutes.`
      : `The image of ${version} is missing, and nothing was changed: ${missing}. What to do: docs/runbooks/missing-image.md.`,
  );
}

function readLimits(options: CommandInput["options"]): Limits {
  const soakMinutes = readNumber(options["soak"] ?? usualSoakMinutes, "--soak", { least: 0, most: longestSoakMinutes });
  return {
    soakSeconds: soakMinutes * 60,
    atOnce: readNumber(options["at-once"] ?? updatesAtOnce, "--at-once", { least: 1, most: 1_000 }),
    mostFailures: readNumber(options["max-failures"] ?? 1, "--max-failures", { least: 1, most: 1_000_000 }),
    mostFailedPercent: readNumber(options["max-failed-percent"] ?? 10, "--max-failed-percent", { least: 0, most: 100 }),
  };
}

function readNumber(value: string | boolean | number, name: string, { least, most }: { least: number; most: number }): number {
  const number = typeof value === "string" && !/^\d+$/.test(value) ? NaN : Number(value);
  if (!(number >= least && number <= most)) throw new CommandRefused(`${name} must be a whole number from ${least} to ${most}.`);
  return number;
}

/** Null without the option. */
function readNames(value: string | boolean | undefined): string[] | null {
  if (value === undefined) return null;
  const names = String(value)
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.length === 0) throw new CommandRefused("Name at least one account, such as acme,globex.");
  return [...new Set(names)];
}

/** `1,5,10%`. */
export function readWaves(text: string): WaveSize[] {
  return text.split(",").map((part) => {
    const [, number, percent] = /^(\d{1,6})(%?)$/.exec(part.trim()) ?? [];
    const size = Number(number);
    if (!(size >= 1) || (percent === "%" && size > 100))
      throw new CommandRefused(`--waves must be numbers of 1 or more, or percentages up to 100%, such as ${usualWaves}.`);
    return percent === "%" ? { percent: size } : { workspaces: size };
  });
}
