/**
 * What may happen to a workspace as a whole, as one table: for each beginning what it does to a change of version and to a restore that
 * have not ended. Every call that begins something asks it by `beginStory`, under the workspace's lock; decision 0090 has the reasons.
 */

/**
 * What can be open. `update`: a change of version that has not touched the files. `touched-update`: its snapshot is made, and the new
 * version may have been at the files. `restore`: its files are not in place, as far as the row says. `placed-restore`: they are.
 */
export const openStories = ["update", "touched-update", "restore", "placed-restore"] as const;
export type OpenStory = (typeof openStories)[number];

/** `refuse`: the new one cannot begin. `end`: the open one ends, as `endings` says. `keep`: it goes on, or waits for the workspace to run. */
export type Meeting = "refuse" | "end" | "keep";

export type Story = keyof typeof stories;

const refuseAll = { update: "refuse", "touched-update": "refuse", restore: "refuse", "placed-restore": "refuse" } as const;
const keepAll = { update: "keep", "touched-update": "keep", restore: "keep", "placed-restore": "keep" } as const;
const endAll = { update: "end", "touched-update": "end", restore: "end", "placed-restore": "end" } as const;
/** The new version may have migrated the data, so its snapshot is needed should the workspace run again. */
const endUntouched = { ...endAll, "touched-update": "keep" } as const;

export const stories = {
  /** The service, an operator or the owner's way back asks for a version. */
  update: refuseAll,
  /** The owner chooses a version in the settings; the reconciler lets it overrule an open change, whose snapshot it takes over. */
  "version-choice": { ...refuseAll, update: "keep", "touched-update": "keep" },
  restore: refuseAll,
  /** It is wanted stopped, for a moment perhaps. */
  pause: keepAll,
  /** It has stopped. */
  rest: endUntouched,
  /** It is wanted again, as it was. */
  return: keepAll,
  deletion: endUntouched,
  /** Nothing is left of it. */
  removal: endAll,
  /** A new workspace begins under the row of a removed one. */
  renewal: endAll,
} as const satisfies Record<string, Readonly<Record<OpenStory, Meeting>>>;

/** Why an open story ended, for the owner. */
export const endReasons = {
  rest: "The workspace was stopped before it began.",
  deletion: "The workspace was deleted.",
  removal: "The workspace was deleted.",
  renewal: "The workspace was deleted.",
} as const;
