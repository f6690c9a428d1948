/** A signed-in user changes their profile. */
import type { ProfileChange } from "#contract/accounts/profile.ts";
import { lockProfile, setProfile } from "#domain/accounts/credential-store.ts";
import { profileRevision } from "#domain/accounts/profile-revision.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { makeAccountDue } from "#domain/workspaces/observed/due-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { Services } from "../services.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";

/**
 * Saves the given values; if nothing differs, nothing is written or refused. Refuses a change made on an outdated profile. A new name is
 * passed on to the workspace, which shows it too.
 */
export async function changeProfile(
  { db, clock }: Services,
  { userId, accountId }: CurrentUser,
  { revision, ...change }: ProfileChange,
  address: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const now = clock.now();
    const before = await lockProfile(tx, userId);
    if (!before) throw new AppError("session_expired");
    const after = { ...before, ...change };
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    if (revision !== undefined && revision !== profileRevision(before)) throw new AppError("changed_elsewhere");
    await setProfile(tx, userId, after);
    await writeAudit(tx, { accountId, userId, action: "profile.changed", before, after, address }, now);
    if (after.fullName !== before.fullName) await makeAccountDue(tx, accountId, now);
  });
}
