/** The owner of an export, who gets its email, and the language of its instructions. */
import { eq } from "drizzle-orm";
import type { Language } from "#contract/accounts/language.ts";
import { users } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

/** The account's owner: its first user. */
export async function readOwner(
  db: Connection,
  accountId: string,
): Promise<{ email: string; fullName: string; language: Language | null } | null> {
  const [row] = await db
    .select({ email: users.email, fullName: users.fullName, language: users.language })
    .from(users)
    .where(eq(users.accountId, accountId))
    .orderBy(users.createdAt)
    .limit(1);
  return row ?? null;
}
