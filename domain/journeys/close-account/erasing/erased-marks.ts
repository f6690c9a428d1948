/**
 * Which accounts were erased, outside of the database: a small object named by each account's id beside the backups. A database that is
 * restored from an older dump brings an erased account back; the worker then closes and erases it again.
 */
import { Readable } from "node:stream";
import { say } from "#contract/sentences/say.ts";
import { lockClosing, writeClosing } from "#domain/accounts/closing-store.ts";
import { listNotErased, writeErasing } from "#domain/accounts/erasure-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import type { BackupStorage } from "#domain/backups/storage/backup-storage.ts";
import { lockSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { revokeAll } from "#domain/invitations/invitation-store.ts";
import { isGapOpen } from "#domain/memory-gap/memory-gap-store.ts";
import { deleteHeldWorkspace } from "#domain/workspaces/desired/hold-workspace.ts";
import { readRestore } from "#domain/workspaces/hosts/found-store.ts";
import { hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";
import { isId } from "#platform/ids.ts";
import { within } from "#platform/loops/within.ts";
import { readState, writeState } from "#platform/postgres/service-state.ts";
import { announceAccount, signOut } from "../close-account.ts";
import type { ErasingParts } from "./erase-account.ts";

const kind = "erased";

const purpose = "erased account";

/** Remembers it for good. The content proves that this service wrote it: whoever can write to the storage can't have an account erased. */
export const markErased = ({ storage, secrets }: Pick<ErasingParts, "storage" | "secrets">, accountId: string): Promise<void> =>
  storage.write(`${kind}/${accountId}`, Readable.from([Buffer.from(secrets.encrypt(accountId, purpose))]));

/** More than a mark has. */
const mostMarkBytes = 1024;

/** Its content. Throws if it has more than a mark, or is not read in time. */
async function readMark(storage: BackupStorage, accountId: string, withinMs: number): Promise<string> {
  let stream: Readable | undefined;
  let isOver = false;
  const reading = async (): Promise<string> => {
    stream = await storage.read(`${kind}/${accountId}`);
    if (isOver) stream.destroy();
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of stream as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > mostMarkBytes) throw new Error("it is longer than any mark");
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString();
  };
  try {
    return await within(withinMs, "reading a mark", reading());
  } finally {
    isOver = true;
    stream?.destroy();
  }
}

/** A mark of another key belongs to no dump that this service can start with. Throws if it can't be read. */
async function isOurs(
  { storage, secrets, log }: Pick<ErasingParts, "storage" | "secrets" | "log">,
  accountId: string,
  withinMs: number,
): Promise<boolean> {
  const content = await readMark(storage, accountId, withinMs);
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

/** For one mark; and for all of them where the service's start waits for it. */
interface MarkPatience {
  oneMs: number;
  allMs: number;
}
const patience: MarkPatience = { oneMs: 10 * secondMs, allMs: hourMs };
/** What is not read by then is read by the first hourly sweep, which runs right after the start. */
export const patienceOfStart: MarkPatience = { oneMs: 10 * secondMs, allMs: minuteMs };

/**
 * After a restore, closes every account that was erased before and is here again, and makes its erasure due; returns their ids. Nothing of it
 * can be taken back: no reopening, no start of the workspace. Where nothing was restored, a mark of an account that is not erased comes from
 * another service with the same key and storage: it is logged, and nothing is done. Throws at the end if anything is left to do, or
 * to look at; one account does not stop the others.
 */
export async function closeErasedAgain(parts: Omit<ErasingParts, "supportEmail">, { oneMs, allMs } = patience): Promise<string[]> {
  const { db, clock, log, storage } = parts;
  const until = performance.now() + allMs;
  const restore = await readRestore(db);
  const marked = await within(allMs, "listing the marks of erased accounts", listMarked(storage));
  const again: string[] = [];
  const left: string[] = [];
  for (let from = 0; from < marked.length; from += batch)
    for (const accountId of await listNotErased(db, marked.slice(from, from + batch))) {
      const restMs = until - performance.now();
      if (restMs <= 0) left.push(accountId);
      else
        try {
          if (!(await isOurs(parts, accountId, Math.min(oneMs, restMs)))) continue;
          const done = await db.transaction((tx) => closeAgain(tx, accountId, clock.now()));
          if (done === "closed") again.push(accountId);
          if (done !== "not restored") continue;
          left.push(accountId);
          log.error({ accountId }, "a mark says that an account was erased, but it is not, and no database was restored: nothing is done");
        } catch (err) {
          left.push(accountId);
          log.error({ err, accountId }, "whether an erased account came back could not be looked up");
        }
    }
  if (again.length > 0)
    log.warn({ accounts: again }, "accounts that were erased came back with a restored database: they are erased again");
  if (left.length > 0) throw new ErasedNotClosed(left.length);
  await noteErasedAgain(db, restore);
  return again;
}

/** Marks of erased accounts are left that could not be looked at, or that no restore explains. */
export class ErasedNotClosed extends Error {
  override readonly name = "ErasedNotClosed";
  constructor(accounts: number) {
    super(`${accounts} marked as erased are not: docs/runbooks/close-an-account.md#a-mark-of-an-account-that-is-not-erased`);
  }
}

/** The restore for which all marks were looked at. */
const lookedAtKey = "erased again";

/** Whether the database may have come from a dump, and not all marks were looked at since. */
async function wasRestored(tx: Connection): Promise<boolean> {
  if (await isGapOpen(tx)) return true;
  const restore = await readRestore(tx);
  return restore !== null && ((await readState(tx, lookedAtKey)) as { restore: string } | undefined)?.restore !== restore;
}

async function noteErasedAgain(db: Database, restore: string | null): Promise<void> {
  if (restore !== null) await writeState(db, lookedAtKey, { restore });
}

async function closeAgain(tx: Connection, accountId: string, now: Date): Promise<"closed" | "nothing to do" | "not restored"> {
  await lockSubscription(tx, accountId);
  const account = await lockClosing(tx, accountId);
  if (!account || account.isErased || account.closing?.erasingSince) return "nothing to do";
  if (!(await wasRestored(tx))) return "not restored";
  if (!account.closing) {
    await writeClosing(tx, accountId, { since: now, eraseAt: now, by: null, reason: null });
    await deleteHeldWorkspace(tx, accountId, { event: "account-closed", message: say("accountClosed") }, now);
    await revokeAll(tx, accountId, now);
  }
  await signOut(tx, accountId);
  await writeErasing(tx, accountId, now);
  await writeAudit(tx, { accountId, userId: null, action: "account.erasing", after: { again: true } }, now);
  await announceAccount(tx, accountId, account.name);
  return "closed";
}
