import { accounts, users } from "#database/tables.ts";
import { startTrial } from "#domain/billing/subscription/start-trial.ts";
import { insertWorkspace } from "#domain/workspaces/workspace-store.ts";
import type { Database } from "#platform/database.ts";
import { newId } from "#platform/ids.ts";

/** A new account with its confirmed owner, its workspace and its trial, started `now`; resolves with its id. */
export async function addTrialAccount(db: Database, now: Date): Promise<string> {
  const id = newId();
  const name = `a${id.slice(-12)}`;
  await db.transaction(async (tx) => {
    await tx.insert(accounts).values({ id, name, setUpAt: now, createdAt: now });
    await tx.insert(users).values({
      id: newId(),
      accountId: id,
      email: `${name}@example.com`,
      fullName: "Ada Lovelace",
      passwordHash: "-",
      confirmedAt: now,
      createdAt: now,
    });
    await insertWorkspace(tx, { accountId: id, engine: "n8n", version: "2.40.7", timezone: "Etc/UTC", memoryMb: 1024, secrets: "-" }, now);
    await startTrial(tx, id, now);
  });
  return id;
}
