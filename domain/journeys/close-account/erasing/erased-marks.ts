/**
 * Which accounts were erased, outside of the database: a small object named by each account's id beside the backups. A database that is
 * restored from an older dump brings an erased account back; the worker then closes and erases it again.
 */
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { say } from "#contract/sentences/say.ts";
import { lockClosing, writeClosing } from "#domain/accounts/closing-store.ts";
import { listNotErased, writeErasing } from "#domain/accounts/erasure-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import type { BackupStorage } from "#domain/backups/storage/backup-storage.ts";
import { lockSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { revokeAll } from "#domain/invitations/invitation-store.ts";
import { deleteHeldWorkspace } from "#domain/workspaces/desired/hold-workspace.ts";
import { isId } from "#platform/ids.ts";
import type { Connection } from "#platform/database.ts";
import { announceAccount, signOut } from "../close-account.ts";
import type { ErasingParts } from "./erase-account.ts";

const kind = "erased";

const purpose = "erased account";

/** Remembers it for good. The content proves that this service wrote it: whoever can write to the storage can't have an account erased. */
export const markErased = ({ storage, secrets }: Pick<ErasingParts, "storage" | "secrets">, accountId: string): Promise<void> =>
  storage.write(`${kind}/${accountId}`, Readable.from([Buffer.from(secrets.encrypt(accountId, purpose))]));

/** A mark of another key belongs to no dump that this service can start with. */
async function isOurs({ storage, secrets, log }: Pick<ErasingParts, "storage" | "secrets" | "log">, accountId: string): Promise<boolean> {
  const content = await text(await storage.read(`${kind}/${accountId}`));
  try {
    if (secrets.decrypt(content, purpose) === accountId) return true;
  } catch {
    // Said below.
  }
  log.error({ accountId }, "a mark in the storage says that an account was erased, but this service did not write it: nothing is done");
  return false;
}

/** The ids of all accounts that were erased, also of those that this database does not know. */
export const listMarked = async (storage: BackupStorage): Promise<string[]> =>
  (await storage.list(kind)).map((name) => name.slice(`${kind}/`.length)).filter(isId);

/** Accounts of one statement. */
const batch = 1_000;

/**
 * Closes every account that was erased before and is here again, and makes its erasure due; returns their ids. Nothing of it can be taken
 * back: no reopening, no start of the workspace.
 */
export async function closeErasedAgain(parts: Omit<ErasingParts, "supportEmail">): Promise<string[]> {
  const { db, clock, log, storage } = parts;
  const marked = await listMarked(storage);
  const again: string[] = [];
  for (let from = 0; from < marked.length; from += batch)
    for (const accountId of await listNotErased(db, marked.slice(from, from + batch)))
      if ((await isOurs(parts, accountId)) && (await db.transaction((tx) => closeAgain(tx, accountId, clock.now())))) again.push(accountId);
  if (again.length > 0)
    log.warn({ accounts: again }, "accounts that were erased came back with a restored database: they are erased again");
  return again;
}

async function closeAgain(tx: Connection, accountId: string, now: Date): Promise<boolean> {
  await lockSubscription(tx, accountId);
  const account = await lockClosing(tx, accountId);
  if (!account || account.isErased || account.closing?.erasingSince) return false;
  if (!account.closing) {
    await writeClosing(tx, accountId, { since: now, eraseAt: now, by: null, reason: null });
    await deleteHeldWorkspace(tx, accountId, { event: "account-closed", message: say("accountClosed") }, now);
    await revokeAll(tx, accountId, now);
  }
  await signOut(tx, accountId);
  await writeErasing(tx, accountId, now);
  await writeAudit(tx, { accountId, userId: null, action: "account.erasing", after: { again: true } }, now);
  await announceAccount(tx, accountId, account.name);
  return true;
}
