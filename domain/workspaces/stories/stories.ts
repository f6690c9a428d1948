/**
 * What may happen to a workspace as a whole, as one table: what each new story does to an open change of version and to an open restore.
 * Every call that begins one consults it through `beginStory`, under the workspace's lock; decision 0090 has the reasons.
 */
import { say, type Sentence } from "#contract/sentences/say.ts";

/**
 * Stories that can be open. `update`: a change of version that has not touched the files. `touched-update`: its snapshot exists, and the
 * new version may have changed the files. `rollback`, `touched-rollback`: the same, but the change puts an older backup in place: another
 * version must not start on its files. `restore`: according to the row, its files are not in place. `placed-restore`: they are.
 * `first-restore`: in place or not, the workspace was never used and has no data but what this brings.
 */
const openStories = ["update", "touched-update", "rollback", "touched-rollback", "restore", "first-restore", "placed-restore"] as const;
export type OpenStory = (typeof openStories)[number];

/**
 * `refuse`: the new story cannot begin. `end`: the open one ends, as `endings` says. `keep`: it continues, or waits for the workspace to
 * run.
 */
type Meeting = "refuse" | "end" | "keep";

export type Story = keyof typeof stories;

const all = <M extends Meeting>(meeting: M): Readonly<Record<OpenStory, M>> => ({
  update: meeting,
  "touched-update": meeting,
  rollback: meeting,
  "touched-rollback": meeting,
  restore: meeting,
  "first-restore": meeting,
  "placed-restore": meeting,
});
const refuseAll = all("refuse");
const keepAll = all("keep");
const endAll = all("end");
/**
 * The new version may have migrated the data, so its snapshot is needed if the workspace runs again. A workspace whose first restore ended
 * here would start empty then.
 */
const endUntouched = { ...endAll, "touched-update": "keep", "touched-rollback": "keep", "first-restore": "keep" } as const;

export const stories = {
  /** The service, an operator or the owner's rollback requests a version. */
  update: refuseAll,
  /**
   * The owner chooses a version in the settings; the reconciler lets it override an open change and takes over its snapshot. A rollback
   * ends first: in the middle of it, the files are of another time than the version that runs.
   */
  "version-choice": { ...refuseAll, update: "keep", "touched-update": "keep" },
  /** One that waits for its first restore may begin with another backup instead. */
  restore: { ...refuseAll, "first-restore": "end" },
  /** An operator gives its first restore up. */
  "empty-begin": { ...keepAll, "first-restore": "end" },
  /** It should stop, perhaps only briefly. */
  pause: keepAll,
  /** It has stopped. */
  rest: endUntouched,
  /** It should run again, unchanged. */
  return: keepAll,
  deletion: endUntouched,
  /** It has been removed completely. */
  removal: endAll,
  /** A new workspace begins in the row of a removed one. */
  renewal: endAll,
} as const satisfies Record<string, Readonly<Record<OpenStory, Meeting>>>;

/** The reasons for the owner why an open story ended. */
export const endReasons = {
  restore: say("endedByRestore"),
  "empty-begin": say("restoreGivenUp"),
  rest: say("endedByStop"),
  deletion: say("endedByDeletion"),
  removal: say("endedByDeletion"),
  renewal: say("endedByDeletion"),
  /** The owner chose another version meanwhile. */
  overruled: say("overruled"),
  /** No worker knows the release. */
  unknown: say("versionUnknown"),
} as const;

/** Why an update failed whose new version never ran, by the event: it may work once the operator has mended the cause. */
export const unplacedReasons = { "no-image": say("versionNotLoaded"), "no-place": say("versionNotPlaced") } as const;

/** For an event that a start may fail with; undefined for one of a version that ran. */
export const unplacedReason = (event: string | null): Sentence | undefined =>
  event === "no-image" || event === "no-place" ? unplacedReasons[event] : undefined;

/** These say nothing about the version that a workspace was to change to: such a change counts as skipped, not as failed. */
export const isFailureOf = ({ state, reason }: { state: string; reason: string | null }): boolean =>
  (state === "failed" || state === "rolled-back") && !Object.values<string | null>(endReasons).includes(reason);
