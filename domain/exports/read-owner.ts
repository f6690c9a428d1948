/** The recipient of mails about an export. */
import { eq } from "drizzle-orm";
import { users } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

/** The account's owner: its first user. */
export async function readOwner(db: Connection, accountId: string): Promise<{ email: string; fullName: string } | null> {
  const [row] = await db
    .select({ email: users.email, fullName: users.fullName })
    .from(users)
    .where(eq(users.accountId, accountId))
    .orderBy(users.createdAt)
    .limit(1);
  return row ?? null;
}
