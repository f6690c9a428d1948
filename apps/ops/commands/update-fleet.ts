import { setTimeout as delay } from "node:timers/promises";
import { say } from "#contract/sentences/say.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { releasesOf } from "../../provisioner/engines/releases/releases-of.ts";
import { requestUpdate } from "#domain/updates/request-update.ts";
import { StoryInTheWay } from "#domain/workspaces/stories/begin-story.ts";
import { isFailureOf } from "#domain/workspaces/stories/stories.ts";
import { listFleetUpdates, listUpdateCandidates, type UpdateCandidate } from "#domain/updates/update-store.ts";
import { readPresence } from "#domain/workspaces/present-releases.ts";
import { drivers } from "../../program/choices/create-driver.ts";
import { offerVersions } from "#domain/workspaces/offered-release.ts";
import type { JournalLine } from "#domain/workspaces/workspace-store.ts";
import { after, minuteMs } from "#platform/clock.ts";
import { CommandRefused, type Command, type OpsContext } from "../command.ts";

const usualWaves = "1,5,25,100%";
const pollMs = 2000;

/** Updates running workspaces in waves of growing size, and stops if updates fail. */
export const updateFleet: Command = {
  name: "update-fleet",
  parameters: ["version"],
  options: {
    waves: { type: "string", summary: `the sizes of the waves as numbers or percentages, ${usualWaves} by default` },
    "max-failures": { type: "string", summary: "stop after this many failed updates, 1 by default" },
    "dry-run": { type: "boolean", summary: "only show what would be done" },
  },
  summary: "Update all running workspaces to a version, in waves; the service must be running. Run it again to continue where it stopped",
  async run(context, { arguments: [version = ""], options }) {
    const { config, db, print } = context;
    const releases = releasesOf(config.engine);
    if (!releases.some((release) => release.version === version))
      throw new CommandRefused(
        `${version} is not a qualified release. Qualified releases: ${releases.map((release) => release.version).join(", ")}.`,
      );
    await refuseMissing(context, version);
    const mostFailures = readNumber(options["max-failures"] ?? "1", "--max-failures");
    const before = await listFleetUpdates(db, version);
    const taken = new Set(before.filter((update) => isFailureOf(update)).map(({ workspaceId }) => workspaceId));
    const candidates = (await listUpdateCandidates(db, "all", [version])).filter(
      (candidate) =>
        !taken.has(candidate.id) &&
        offerVersions(releases, { desiredVersion: candidate.desiredVersion, observedVersion: candidate.desiredVersion }).some(
          ({ name, isPossible }) => name === version && isPossible,
        ),
    );
    const waves = planWaves(String(options["waves"] ?? usualWaves), candidates.length);
    print(
      `${candidates.length} workspaces to update to ${version}, in waves of ${waves.join(", ") || "none"}. Skipped because of an earlier failed update: ${taken.size}.`,
    );
    if (options["dry-run"] === true) return;
    await updateInWaves(context, version, candidates, waves, mostFailures);
  },
};

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

async function updateInWaves(
  context: OpsContext,
  version: string,
  candidates: readonly UpdateCandidate[],
  waves: readonly number[],
  mostFailures: number,
): Promise<void> {
  const { print } = context;
  let failures = 0;
  let done = 0;
  for (const [index, size] of waves.entries()) {
    const wave = candidates.slice(done, done + size);
    done += size;
    const asked = await askFor(context, version, wave);
    const outcome = await waitFor(context, version, asked);
    failures += outcome.failed.length;
    print(
      `Wave ${index + 1} of ${waves.length}: ${outcome.successful} updated, ${outcome.failed.length} failed, ${wave.length - outcome.successful - outcome.failed.length} skipped.`,
    );
    for (const { workspaceId, reason } of outcome.failed) print(`  ${workspaceId}: ${reason ?? "no reason given"}`);
    if (failures >= mostFailures)
      throw new CommandRefused(`Stopped. Failed updates to ${version}: ${failures}. Workspaces not updated: ${candidates.length - done}.`);
  }
  print(`All done: ${version}.`);
}

async function askFor({ db, clock, operator }: OpsContext, version: string, wave: readonly UpdateCandidate[]): Promise<string[]> {
  const asked: string[] = [];
  for (const { id, accountId, desiredVersion } of wave) {
    const line: JournalLine = {
      event: "update-requested",
      message: say("updateRequestedByService", { version }),
      detail: `by ${operator}`,
    };
    const row = await db
      .transaction(async (tx) => {
        const update = await requestUpdate(
          tx,
          { workspaceId: id, fromVersion: desiredVersion, toVersion: version, askedBy: "operator", line },
          clock.now(),
        );
        if (update)
          await writeAudit(
            tx,
            {
              accountId,
              userId: null,
              action: "workspace.update-asked",
              before: { version: desiredVersion },
              after: { version, operator },
            },
            clock.now(),
          );
        return update;
      })
      .catch((error: unknown) => {
        if (!(error instanceof StoryInTheWay)) throw error;
        return null;
      });
    if (row) asked.push(id);
  }
  return asked;
}

/** An update takes minutes. One that is stuck must not delay the others; that of a workspace that should stop waits, and is not waited for. */
const longestMs = 15 * minuteMs;

async function waitFor({ db, clock }: OpsContext, version: string, ids: readonly string[]) {
  for (;;) {
    const tooOld = after(clock.now(), -longestMs);
    const listed = (await listFleetUpdates(db, version)).filter(({ workspaceId }) => ids.includes(workspaceId));
    const mine = listed.map((each) =>
      each.finishedAt === null && each.desiredState === "running" && each.startedAt < tooOld
        ? { ...each, state: "failed" as const, finishedAt: tooOld, reason: "It has not finished after 15 minutes." }
        : each,
    );
    if (mine.every(({ finishedAt, desiredState }) => finishedAt !== null || desiredState !== "running")) {
      return {
        successful: mine.filter(({ state }) => state === "successful").length,
        failed: mine.filter((update) => isFailureOf(update)),
      };
    }
    await delay(pollMs);
  }
}

/** Sizes of the waves, none empty, which add up to `total`. The last size is repeated as needed. */
export function planWaves(text: string, total: number): number[] {
  const sizes = text.split(",").map((part) => {
    const percent = /^(\d{1,3})%$/.exec(part.trim());
    return percent ? Math.max(1, Math.ceil((total * readNumber(percent[1]!, "--waves")) / 100)) : readNumber(part.trim(), "--waves");
  });
  const waves: number[] = [];
  for (let left = total, index = 0; left > 0; index++) {
    const size = Math.min(left, sizes[Math.min(index, sizes.length - 1)]!);
    waves.push(size);
    left -= size;
  }
  return waves;
}

function readNumber(text: string | boolean, name: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new CommandRefused(`${name} must be whole numbers of 1 or more, such as ${usualWaves}.`);
  return value;
}
