/**
 * The step that keeps a workspace from beginning empty in place of its data, on a host that lost its files or whose disk is not mounted. It
 * is offline until they are back, or a backup is in their place.
 */
import { say } from "#contract/sentences/say.ts";
import { done, type Step } from "../step.ts";

/** After the steps that put files in place. Without an owner nobody has used it, and it may begin empty. */
export const noticeMissingFiles: Step = {
  name: "notice-missing-files",
  async run(scope) {
    const { workspace, observed, driver, observe, log } = scope;
    if (observed.ownerSetUpAt === null || scope.seen.state !== "absent") return done;
    scope.seen = await driver.observe(workspace.id);
    if (scope.seen.state !== "absent") return done;
    // Without an address, what ended together with its files is no death once they are back.
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
