/**
 * The step that keeps a workspace from starting empty in place of its data, on a host that lost its files or whose disk is not mounted. It
 * is offline until they are back, or those of a backup are in place.
 */
import { say } from "#contract/sentences/say.ts";
import { done, type Step } from "../step.ts";

/** Runs after the steps that put files in place. A workspace without an owner was never used, and may start empty. */
export const noticeMissingFiles: Step = {
  name: "notice-missing-files",
  async run(scope) {
    const { workspace, observed, driver, observe, log } = scope;
    if (observed.ownerSetUpAt === null) return done;
    if (scope.seen.state === "absent") scope.seen = await driver.observe(workspace.id);
    if (scope.seen.state !== "absent") {
      // They are back. How often they were missing says nothing about the starts that follow.
      if (observed.reasonCode === filesMissing.event) await observe({ failures: 0, reason: null, reasonCode: null });
      return done;
    }
    // Without an address, a process that ended together with its files does not count as a crash once they are back.
    if (observed.address !== null) await observe({ address: null, startedAt: null, gatewayOpen: false });
    if (observed.reasonCode !== filesMissing.event)
      log.error(
        { workspaceId: workspace.id },
        "the files of a workspace are missing, so it is not started: mount their disk, or restore its backup (docs/runbooks/hosts.md)",
      );
    return filesMissing;
  },
};

export const filesMissing = {
  kind: "failed",
  event: "files-missing",
  reason: say("filesMissing"),
} as const;
