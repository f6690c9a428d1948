import { setTimeout as delay } from "node:timers/promises";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { releasesOf } from "../../provisioner/engines/releases/releases-of.ts";
import { requestUpdate } from "#domain/updates/request-update.ts";
import { StoryInTheWay } from "#domain/workspaces/stories/begin-story.ts";
import { listFleetUpdates, listUpdateCandidates, type UpdateCandidate } from "#domain/updates/update-store.ts";
import { offerVersions } from "#domain/workspaces/offered-release.ts";
import type { JournalLine } from "#domain/workspaces/workspace-store.ts";
import { after, minuteMs } from "#platform/clock.ts";
import { CommandRefused, type Command, type OpsContext } from "../command.ts";

const usualWaves = "1,5,25,100%";
const pollMs = 2000;

/** Updates running workspaces wave after wave, each larger than the one before, and stops where some don't come to life. */
export const updateFleet: Command = {
  name: "update-fleet",
  parameters: ["version"],
  options: {
    waves: { type: "string", summary: `how many at a time, in numbers or percent, ${usualWaves} unless given` },
    "max-failures": { type: "string", summary: "after how many that were taken back it stops, 1 unless given" },
    "dry-run": { type: "boolean", summary: "only say what would be done" },
  },
  summary: "Update all running workspaces to a version, in waves; the service must run. Called again, it goes on where it stopped",
  async run(context, { arguments: [version = ""], options }) {
    const { config, db, print } = context;
    const releases = releasesOf(config.engine);
    if (!releases.some((release) => release.version === version))
      throw new CommandRefused(
        `${version} is not a qualified release. There are: ${releases.map((release) => release.version).join(", ")}.`,
      );
    const mostFailures = readNumber(options["max-failures"] ?? "1", "--max-failures");
    const before = await listFleetUpdates(db, version);
    const taken = new Set(
      before.filter(({ state }) => state === "rolled-back" || state === "failed").map(({ workspaceId }) => workspaceId),
    );
    const candidates = (await listUpdateCandidates(db, "all", [version])).filter(
      (candidate) =>
        !taken.has(candidate.id) &&
        offerVersions(releases, { desiredVersion: candidate.desiredVersion, observedVersion: candidate.desiredVersion }).some(
          ({ name, isPossible }) => name === version && isPossible,
        ),
    );
    const waves = planWaves(String(options["waves"] ?? usualWaves), candidates.length);
    print(
      `${candidates.length} workspaces to update to ${version}, in waves of ${waves.join(", ") || "none"}. Left out, because it did not work there before: ${taken.size}.`,
    );
    if (options["dry-run"] === true) return;
    await updateInWaves(context, version, candidates, waves, mostFailures);
  },
};

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
      `Wave ${index + 1} of ${waves.length}: ${outcome.successful} updated, ${outcome.failed.length} taken back, ${wave.length - asked.length} no longer there.`,
    );
    for (const { workspaceId, reason } of outcome.failed) print(`  ${workspaceId}: ${reason ?? "no reason given"}`);
    if (failures >= mostFailures)
      throw new CommandRefused(
        `Stopped: ${failures} did not come to life on ${version}, and are as they were. ${candidates.length - done} were not touched.`,
      );
  }
  print(`All done: ${version}.`);
}

async function askFor({ db, clock, operator }: OpsContext, version: string, wave: readonly UpdateCandidate[]): Promise<string[]> {
  const asked: string[] = [];
  for (const { id, accountId, desiredVersion } of wave) {
    const line: JournalLine = {
      event: "update-requested",
      message: `The update to ${version} begins. The service asked for it.`,
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

/** An update is over in minutes. One that waits, because its workspace was stopped in the middle for example, must not keep the others waiting. */
const longestMs = 15 * minuteMs;

async function waitFor({ db, clock }: OpsContext, version: string, ids: readonly string[]) {
  for (;;) {
    const tooOld = after(clock.now(), -longestMs);
    const listed = (await listFleetUpdates(db, version)).filter(({ workspaceId }) => ids.includes(workspaceId));
    const mine = listed.map((each) =>
      each.finishedAt === null && each.startedAt < tooOld
        ? { ...each, finishedAt: tooOld, reason: "It has not ended after 15 minutes." }
        : each,
    );
    if (mine.every(({ finishedAt }) => finishedAt !== null)) {
      return {
        successful: mine.filter(({ state }) => state === "successful").length,
        failed: mine.filter(({ state }) => state !== "successful"),
      };
    }
    await delay(pollMs);
  }
}

/** Sizes of the waves, none empty, all together as many as there are: the last one is repeated until nobody is left. */
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
  if (!Number.isInteger(value) || value < 1) throw new CommandRefused(`${name}: whole numbers of at least 1, such as ${usualWaves}.`);
  return value;
}
