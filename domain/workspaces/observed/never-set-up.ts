/** Columns that are reset when a workspace's files are replaced or gone: what they say was true of those files. */
import type { WorkspaceRow } from "../workspace-store.ts";

/** The tool is told everything again, because other files may not know it. */
export const toldNothing = { profilePassedAt: null, ownerPassed: null } as const satisfies Partial<WorkspaceRow>;

/** No files are left: it is set up as new, with an owner. */
export const neverSetUp = { observedVersion: null, ownerSetUpAt: null, ...toldNothing } as const satisfies Partial<WorkspaceRow>;
