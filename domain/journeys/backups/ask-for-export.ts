/** The owner exports their workflows; apps/provisioner/exports/export-work.ts writes the file. */
import { exportDays } from "#contract/workspaces/backup.ts";
import { lockAccount } from "#domain/accounts/account-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { lockPerson } from "#domain/accounts/lock-person.ts";
import { inTurnOf } from "#domain/accounts/password.ts";
import { isOfPassphrase, makeCredentialsKey, type CredentialsKey } from "#domain/exports/credentials-key.ts";
import { findOpenExport, insertExport, type ExportRow } from "#domain/exports/export-store.ts";
import { AppError } from "#platform/app-error.ts";
import { after, dayMs } from "#platform/clock.ts";
import { checkPassword } from "../signed-in/password-guards.ts";
import type { CurrentUser } from "../signed-in/current-user-query.ts";
import type { Services } from "../services.ts";
import { refuseTooManyADay } from "./daily-limit.ts";

const exportKeptMs = exportDays * dayMs;

type ExportWish = { withCredentials: false } | { withCredentials: true; passphrase: string; password: string };

/**
 * While an export of the same kind is under way, returns that one; with credentials only if the passphrase matches. Credentials
 * always need the password, however the session was opened.
 */
export async function askForExport(services: Services, current: CurrentUser, wish: ExportWish, address: string): Promise<ExportRow> {
  const { db, clock, secrets } = services;
  const { workspace, accountId, userId } = current;
  if (!workspace || !services.workspace.hasExports) throw new AppError("workspace_not_found");
  if (workspace.desiredState !== "running" || workspace.observedState !== "online") throw new AppError("workspace_not_online");
  const checked = wish.withCredentials ? await checkPassword(services, current, wish.password, "password") : null;
  const known = await findOpenExport(db, { ...workspace, accountId }, wish.withCredentials);
  if (known) return refuseAnotherPassphrase(services, userId, known, wish);
  // Checked here only to save the cost of deriving keys; the transaction below decides both.
  await refuseTooManyADay(db, accountId, "export.requested", "too_many_exports", clock.now());
  const derived = wish.withCredentials ? await inTurnOf(userId, () => makeCredentialsKey(wish.passphrase)) : null;
  const credentialsKey = derived && secrets.encrypt(JSON.stringify(derived), "export");
  const row = await db.transaction(async (tx) => {
    const now = clock.now();
    await (checked ? checked.hold(tx) : lockPerson(tx, current));
    const { withCredentials } = wish;
    await lockAccount(tx, accountId);
    const open = await findOpenExport(tx, { ...workspace, accountId }, withCredentials);
    if (open) return open;
    await refuseTooManyADay(tx, accountId, "export.requested", "too_many_exports", now);
    const made = await insertExport(
      tx,
      { accountId, workspaceId: workspace.id, life: workspace.life, withCredentials, credentialsKey, keptUntil: after(now, exportKeptMs) },
      now,
    );
    await writeAudit(tx, { accountId, userId, action: "export.requested", after: { id: made.id, withCredentials }, address }, now);
    return made;
  });
  return row.credentialsKey === credentialsKey ? row : refuseAnotherPassphrase(services, userId, row, wish);
}

/** Outside the transaction, which would otherwise hold a connection while a key is derived. */
async function refuseAnotherPassphrase({ secrets }: Services, userId: string, open: ExportRow, wish: ExportWish): Promise<ExportRow> {
  if (!wish.withCredentials || open.credentialsKey === null) return open;
  const key = JSON.parse(secrets.decrypt(open.credentialsKey, "export")) as CredentialsKey;
  if (!(await inTurnOf(userId, () => isOfPassphrase(key, wish.passphrase)))) throw new AppError("export_under_way");
  return open;
}
