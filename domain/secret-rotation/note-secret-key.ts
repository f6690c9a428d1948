/** Records which SECRET_KEY the database belongs to, so that a start with a wrong key fails immediately and not at the first decryption. */
import { readState, writeState } from "#platform/postgres/service-state.ts";
import type { Connection } from "#platform/database.ts";
import type { Secrets } from "#platform/secrets.ts";
import { StartTrouble } from "#platform/start-trouble.ts";

const key = "secret key id";

/** The id of the key of the service's last start; null before the first start. */
export async function readNotedSecretKey(db: Connection): Promise<string | null> {
  const value = await readState(db, key);
  return typeof value === "string" ? value : null;
}

/** Records the key. Throws StartTrouble for a key that is neither the recorded one nor its replacement. */
export async function noteSecretKey(db: Connection, secrets: Secrets): Promise<void> {
  const noted = await readNotedSecretKey(db);
  if (noted === secrets.keyId) return;
  if (noted !== null && noted !== secrets.previous?.keyId)
    throw new StartTrouble(
      "SECRET_KEY is not the key that this database's secrets are encrypted with. Set that key or, to replace it, set it as SECRET_KEY_PREVIOUS beside the new one.",
    );
  await writeState(db, key, secrets.keyId);
}
