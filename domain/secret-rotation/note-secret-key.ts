/** Which SECRET_KEY the database belongs to: a start with another one would find out only where a secret is needed, and too late. */
import { serviceState } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import type { Secrets } from "#platform/secrets.ts";
import { StartTrouble } from "#platform/start-trouble.ts";
import { eq } from "drizzle-orm";

const key = "secret key id";

/** The id of the key that the service last started with; null before its first start. */
export async function readNotedSecretKey(db: Connection): Promise<string | null> {
  const [row] = await db.select({ value: serviceState.value }).from(serviceState).where(eq(serviceState.key, key)).limit(1);
  return typeof row?.value === "string" ? row.value : null;
}

/** Notes the key. Refuses (StartTrouble) one that neither is nor replaces the one before. */
export async function noteSecretKey(db: Connection, secrets: Secrets): Promise<void> {
  const noted = await readNotedSecretKey(db);
  if (noted === secrets.keyId) return;
  if (noted !== null && noted !== secrets.previous?.keyId)
    throw new StartTrouble(
      "SECRET_KEY is not the key that this database's secrets are encrypted with. Give that one; or, to replace it, give it as SECRET_KEY_PREVIOUS beside the new one.",
    );
  await db
    .insert(serviceState)
    .values({ key, value: secrets.keyId })
    .onConflictDoUpdate({ target: serviceState.key, set: { value: secrets.keyId } });
}
