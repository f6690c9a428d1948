/** A new, empty workspace after the last one was deleted. */
import { say } from "#contract/sentences/say.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { allowsWorkspace } from "#domain/billing/subscription/allows-workspace.ts";
import { lockSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { readPlanSpec } from "#domain/plans/plan-store.ts";
import { offeredToNew } from "#domain/updates/fleet/held-versions.ts";
import { newVersion } from "#domain/workspaces/offered-release.ts";
import { renewWorkspace } from "#domain/workspaces/desired/renew-workspace.ts";
import type { WorkspaceRow } from "#domain/workspaces/workspace-store.ts";
import { announceWorkspace, writeJournal } from "#domain/workspaces/workspace-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";

/**
 * Requests a workspace with the memory of the account's plan. Refuses a version that is not offered, an account that has a workspace
 * (also one that is still being deleted), and a subscription that allows none.
 */
export async function createWorkspace(
  services: Services,
  current: CurrentUser,
  { timezone, versionName }: { timezone: string; versionName?: string | undefined },
  address: string,
): Promise<WorkspaceRow> {
  const { db, clock, workspace: defaults, instanceOperations } = services;
  const { accountId, accountName, userId, fullName } = current;
  if (!instanceOperations) throw new AppError("instance_operations_off");
  return db.transaction(async (tx) => {
    const now = clock.now();
    await lockPerson(tx, current);
    // A subscription that ends at this moment would not stop a workspace that does not exist yet.
    const subscription = await lockSubscription(tx, accountId);
    if (!allowsWorkspace(subscription, now)) throw new AppError("subscription_required");
    const version = newVersion(await offeredToNew(tx, defaults, now), versionName);
    const { memoryMb = defaults.memoryMb } = (await readPlanSpec(tx, subscription.specId)) ?? {};
    const row = await renewWorkspace(tx, accountId, { desiredVersion: version, timezone, memoryMb }, now);
    if (!row) throw new AppError("workspace_exists");
    await writeJournal(tx, row.id, { event: "requested", message: say("requestedAnew"), actor: fullName }, now);
    await writeAudit(
      tx,
      { accountId, userId, action: "workspace.created", after: { workspaceId: row.id, version: row.desiredVersion, timezone }, address },
      now,
    );
    await announceWorkspace(tx, row.id, accountName);
    return row;
  });
}
