/** The SQL of used challenges. */
import { createHash } from "node:crypto";
import { lt } from "drizzle-orm";
import { usedChallenges } from "#database/tables.ts";
import type { Database } from "#platform/database.ts";
import type { SolvedChallenge } from "./challenge.ts";

/** Marks a challenge as used; false if it was used before, even by a simultaneous call. Deletes expired ones. */
export async function useChallenge(db: Database, { id, expiresAt }: SolvedChallenge, now: Date): Promise<boolean> {
  await db.delete(usedChallenges).where(lt(usedChallenges.expiresAt, now));
  const used = await db
    .insert(usedChallenges)
    .values({ hash: createHash("sha256").update(id).digest("hex"), expiresAt })
    .onConflictDoNothing()
    .returning({ hash: usedChallenges.hash });
  return used.length > 0;
}
