/** The plan of a fleet update: which workspaces are updated in which wave, and which are left out for what reason. */
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import { offerVersions, type OfferedRelease } from "#domain/workspaces/offered-release.ts";
import { isNewer } from "#domain/workspaces/newer-version.ts";
import type { Connection } from "#platform/database.ts";
import { listFailedVersions } from "../update-store.ts";
import { listFleet, type FleetWorkspace, type LeftOutReason, type NewPlannedWorkspace } from "./fleet-update-store.ts";

export interface FleetChoice {
  engine: EngineName;
  /** Newest first; the version is one of them. */
  releases: readonly OfferedRelease[];
  toVersion: string;
  /** Accounts whose workspaces are the first wave. */
  canaries: readonly string[];
  /** Accounts: only these workspaces, also if the version failed there before. Null: all. */
  only: readonly string[] | null;
  /** Accounts whose workspaces are left out. */
  except: readonly string[];
  /** Also workspaces that run a newer version. */
  allowsDowngrade: boolean;
  /** Sizes of the waves after the canaries, in workspaces or percent of them. */
  waves: readonly WaveSize[];
}

export interface FleetPlan {
  /** The sizes of the waves, in order. */
  waves: number[];
  /** Of those in the plan: how many sleep, or are offline or starting now. They are in the last waves. */
  asleep: number;
  notReady: number;
  /** How many run the version already; they are not in the plan. */
  already: number;
  leftOut: { accountName: string; reason: LeftOutReason }[];
  rows: NewPlannedWorkspace[];
}

/** The choice names an account that has no workspace of this engine, or a canary that cannot be updated. */
export class FleetChoiceInvalid extends Error {
  constructor(message: string) {
    super(message);
    this.name = "FleetChoiceInvalid";
  }
}

/** Nothing is stored. Throws FleetChoiceInvalid. */
export async function planFleetUpdate(db: Connection, choice: FleetChoice): Promise<FleetPlan> {
  const fleet = await listFleet(db, choice.engine);
  const known = new Set(fleet.map(({ accountName }) => accountName));
  const unknown = [...choice.canaries, ...(choice.only ?? []), ...choice.except].filter((name) => !known.has(name));
  if (unknown.length > 0) throw new FleetChoiceInvalid(`These accounts have no ${choice.engine} workspace: ${unknown.join(", ")}.`);
  const others = fleet.filter(({ desiredVersion }) => desiredVersion !== choice.toVersion);
  const failed = await listFailedVersions(
    db,
    others.map(({ id }) => id),
  );
  const judged = others.map((workspace) => ({ workspace, reason: reasonToLeaveOut(workspace, choice, failed.get(workspace.id)) }));
  const taken = judged.filter(({ reason }) => reason === null).map(({ workspace }) => workspace);
  const leftOut = judged.flatMap(({ workspace, reason }) => (reason === null ? [] : [{ workspace, reason }]));
  refuseLostCanaries(choice, taken, leftOut);

  const isCanary = ({ accountName }: FleetWorkspace): boolean => choice.canaries.includes(accountName);
  const canaries = taken.filter(isCanary);
  // A sleeper shows no fault of the version until it is used, so it comes after those that are awake.
  const rest = taken.filter((each) => !isCanary(each)).toSorted((one, other) => lateness(one) - lateness(other));
  const waves = [...(canaries.length > 0 ? [canaries.length] : []), ...waveSizes(choice.waves, rest.length)];
  const inOrder = [...canaries, ...rest];
  const waveOf = waves.flatMap((size, index) => Array.from({ length: size }, () => index + 1));
  return {
    waves,
    asleep: taken.filter(({ isAsleep }) => isAsleep).length,
    notReady: taken.filter(({ isOnline }) => !isOnline).length,
    already: fleet.length - others.length,
    leftOut: leftOut.map(({ workspace, reason }) => ({ accountName: workspace.accountName, reason })),
    rows: [
      ...inOrder.map((each, index) => rowOf(each, { wave: waveOf[index]!, state: "waiting", reason: null })),
      ...leftOut.map(({ workspace, reason }) => rowOf(workspace, { wave: 0, state: "left-out", reason })),
    ],
  };
}

const lateness = ({ isOnline, isAsleep }: FleetWorkspace): number => (isOnline ? (isAsleep ? 1 : 0) : 2);

const rowOf = (
  { id, life, desiredVersion }: FleetWorkspace,
  place: Pick<NewPlannedWorkspace, "wave" | "state" | "reason">,
): NewPlannedWorkspace => ({ workspaceId: id, life, fromVersion: desiredVersion, ...place });

function reasonToLeaveOut(
  { accountName, isSuspended, desiredState, desiredVersion }: FleetWorkspace,
  { only, except, releases, toVersion, allowsDowngrade }: FleetChoice,
  failed: ReadonlySet<string> | undefined,
): LeftOutReason | null {
  if (except.includes(accountName) || only?.includes(accountName) === false) return "excluded";
  if (isSuspended) return "suspended";
  if (desiredState !== "running") return "stopped";
  if (isNewer(desiredVersion, toVersion) && !allowsDowngrade) return "newer";
  const offered = offerVersions(releases, { desiredVersion, observedVersion: desiredVersion });
  if (!offered.some(({ name, isPossible }) => name === toVersion && isPossible)) return "not-possible";
  // Once named, it is tried again.
  return failed?.has(toVersion) && only === null ? "failed-before" : null;
}

function refuseLostCanaries(
  { canaries }: FleetChoice,
  taken: readonly FleetWorkspace[],
  leftOut: readonly { workspace: FleetWorkspace; reason: LeftOutReason }[],
): void {
  const lost = canaries
    .filter((name) => taken.every(({ accountName }) => accountName !== name))
    .map((name) => `${name} (${leftOut.find(({ workspace }) => workspace.accountName === name)?.reason ?? "runs this version already"})`);
  if (lost.length > 0) throw new FleetChoiceInvalid(`These canaries cannot be updated: ${lost.join(", ")}.`);
}

export type WaveSize = { workspaces: number } | { percent: number };

/** Sizes of the waves, none empty, which add up to `total`. The last size is repeated as needed. */
export function waveSizes(sizes: readonly WaveSize[], total: number): number[] {
  const wanted = sizes.map((size) => ("percent" in size ? Math.max(1, Math.ceil((total * size.percent) / 100)) : size.workspaces));
  const waves: number[] = [];
  for (let left = total; left > 0; left -= waves.at(-1)!) waves.push(Math.min(left, wanted[Math.min(waves.length, wanted.length - 1)]!));
  return waves;
}
