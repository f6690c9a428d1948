/**
 * Re-encrypts with the current key what the previous one encrypted. A row that the current key decrypts is done, so an
 * interrupted run can start over.
 */
import { and, asc, count, eq, gt, inArray, isNotNull, lt, ne, sql } from "drizzle-orm";
import { say } from "#contract/sentences/say.ts";
import { accounts, exports, workspaces } from "#database/tables.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { announceWorkspace, writeJournal } from "#domain/workspaces/workspace-store.ts";
import type { Connection, Database } from "#platform/database.ts";
import { createSecrets, type Secrets } from "#platform/secrets.ts";

/** Each with a single key, so that decrypting with `current` proves that a row is done. */
export interface RotationKeys {
  current: Secrets;
  previous: Secrets;
}

export const rotationKeys = (current: string, previous: string): RotationKeys => ({
  current: createSecrets(current),
  previous: createSecrets(previous),
});

/** Takes tens of milliseconds, and is few enough workspaces to restart together. */
const rowsAtOnce = 50;
const firstId = "00000000-0000-0000-0000-000000000000";

interface Rotated {
  /** Where the next call begins; null at the end. */
  next: string | null;
  done: string[];
  /** Decrypted by neither key. */
  unreadable: string[];
}

/** The text encrypted with the current key and verified; undefined if it already was. Throws if neither key decrypts it. */
function encryptAnew({ current, previous }: RotationKeys, encrypted: string, purpose: string): string | undefined {
  if (opens(current, encrypted, purpose)) return undefined;
  const text = previous.decrypt(encrypted, purpose);
  const anew = current.encrypt(text, purpose);
  if (current.decrypt(anew, purpose) !== text) throw new Error("the re-encrypted text does not decrypt to the original");
  return anew;
}

function opens(secrets: Secrets, encrypted: string, purpose: string): boolean {
  try {
    secrets.decrypt(encrypted, purpose);
    return true;
  } catch {
    return false;
  }
}

async function rotate(
  rows: readonly { id: string; encrypted: string }[],
  most: number,
  keys: RotationKeys,
  purpose: string,
  write: (id: string, from: string, to: string) => Promise<boolean>,
): Promise<Rotated> {
  const rotated: Rotated = { next: rows.length < most ? null : rows.at(-1)!.id, done: [], unreadable: [] };
  for (const { id, encrypted } of rows) {
    try {
      const anew = encryptAnew(keys, encrypted, purpose);
      if (anew !== undefined && (await write(id, encrypted, anew))) rotated.done.push(id);
    } catch (error) {
      // Database errors end the run; only rows that can't be decrypted are skipped.
      if ((error as { code?: string }).code !== "ERR_OSSL_BAD_DECRYPT" && !/authenticate|encrypted value/.test((error as Error).message))
        throw error;
      rotated.unreadable.push(id);
    }
  }
  return rotated;
}

/**
 * Rotates the secrets of up to `most` workspaces. The same transaction restarts one that should run, because its
 * process has the previous public key.
 */
export async function rotateWorkspaces(
  db: Database,
  keys: RotationKeys,
  { from = firstId, most = rowsAtOnce, operator, now }: { from?: string | undefined; most?: number; operator: string; now: Date },
): Promise<Rotated> {
  const rows = await db
    .select({ id: workspaces.id, encrypted: workspaces.secrets })
    .from(workspaces)
    // Of an erased account there are none.
    .where(and(gt(workspaces.id, from), ne(workspaces.secrets, "")))
    .orderBy(asc(workspaces.id))
    .limit(most);
  return rotate(rows, most, keys, "workspace", (id, before, after) =>
    db.transaction(async (tx) => {
      const [changed] = await tx
        .update(workspaces)
        .set({ secrets: after, updatedAt: now })
        .where(and(eq(workspaces.id, id), eq(workspaces.secrets, before)))
        .returning({ accountId: workspaces.accountId, state: workspaces.desiredState });
      if (changed)
        await writeAudit(tx, { accountId: changed.accountId, userId: null, action: "secrets.rotated", after: { operator } }, now);
      if (changed?.state === "running") await startAnew(tx, id, changed.accountId, operator, now);
      return changed !== undefined;
    }),
  );
}

async function startAnew(tx: Connection, id: string, accountId: string, operator: string, now: Date): Promise<void> {
  await tx
    .update(workspaces)
    .set({ generation: sql`${workspaces.generation} + 1`, failures: 0, reconcileAt: now })
    .where(eq(workspaces.id, id));
  await writeJournal(tx, id, { event: "key-replaced", message: say("keyReplaced"), detail: `by ${operator}` }, now);
  const [account] = await tx.select({ name: accounts.name }).from(accounts).where(eq(accounts.id, accountId));
  if (account) await announceWorkspace(tx, id, account.name);
}

/** Rotates the keys of exports that are not made yet. */
export async function rotateExports(
  db: Database,
  keys: RotationKeys,
  { from = firstId, most = rowsAtOnce }: { from?: string | undefined; most?: number } = {},
): Promise<Rotated> {
  const found = await db
    .select({ id: exports.id, encrypted: exports.credentialsKey })
    .from(exports)
    .where(and(gt(exports.id, from), isNotNull(exports.credentialsKey)))
    .orderBy(asc(exports.id))
    .limit(most);
  return rotate(
    found.map(({ id, encrypted }) => ({ id, encrypted: encrypted! })),
    most,
    keys,
    "export",
    async (id, before, after) => {
      const changed = await db
        .update(exports)
        .set({ credentialsKey: after })
        .where(and(eq(exports.id, id), eq(exports.credentialsKey, before)))
        .returning({ id: exports.id });
      return changed.length > 0;
    },
  );
}

/** How many workspaces that should run (of `ids`, if given) have not started with their newest generation yet. */
export async function countNotYetStarted(db: Connection, ids?: readonly string[]): Promise<number> {
  const [row] = await db
    .select({ waiting: count() })
    .from(workspaces)
    .where(
      and(
        eq(workspaces.desiredState, "running"),
        lt(workspaces.observedGeneration, workspaces.generation),
        ids ? inArray(workspaces.id, [...ids]) : undefined,
      ),
    );
  return row!.waiting;
}
