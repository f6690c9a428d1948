import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createBackupKeys } from "#domain/backups/sealed/backup-keys.ts";
import { createBackupStorage } from "#domain/backups/storage/create-backup-storage.ts";
import { readNotedSecretKey } from "#domain/secret-rotation/note-secret-key.ts";
import { resealStored } from "#domain/secret-rotation/reseal-stored.ts";
import {
  countNotYetStarted,
  rotateExports,
  rotateWorkspaces,
  rotationKeys,
  type RotationKeys,
} from "#domain/secret-rotation/rotate-rows.ts";
import { withdrawAllBlanks } from "#domain/workspaces/blanks/blank-store.ts";
import { CommandRefused, type Command, type OpsContext } from "../command.ts";

const usualWave = 5;
const mostWave = 1000;
const pollMs = 1000;
/** A workspace gets 3 minutes to start, and a restart may first wait for running executions. */
const waveTimeoutMs = 10 * 60_000;

/** Re-encrypts with SECRET_KEY what SECRET_KEY_PREVIOUS encrypted, and restarts the workspaces that trust the previous key. */
export const rotateSecrets: Command = {
  name: "rotate-secrets",
  options: {
    wave: { type: "string", summary: `how many workspaces restart at a time, ${usualWave} by default` },
    "at-once": { type: "boolean", summary: "request all restarts without waiting for any" },
  },
  summary:
    "Re-encrypt with SECRET_KEY everything that was encrypted with SECRET_KEY_PREVIOUS, and restart workspaces in waves; the service must be running with both. Run it again to continue where it stopped",
  async run(context, { options }) {
    const keys = await readKeys(context);
    const wave = Number(options["wave"] ?? usualWave);
    if (!Number.isInteger(wave) || wave < 1 || wave > mostWave) throw new CommandRefused(`--wave must be a number from 1 to ${mostWave}.`);
    const unreadable = [
      ...(await rotateAllWorkspaces(context, keys, wave, options["at-once"] === true)),
      ...(await rotateAllExports(context, keys)),
      ...(await resealAll(context)),
    ];
    for (const what of unreadable) context.print(`  neither key decrypts ${what}`);
    if (unreadable.length > 0)
      throw new CommandRefused(
        `Neither key decrypts the ${unreadable.length} items above, so they were left unchanged. Everything else is done.`,
      );
    const waiting = await countNotYetStarted(context.db);
    context.print(
      waiting === 0
        ? "All done. Remove SECRET_KEY_PREVIOUS and restart the service."
        : `Everything is re-encrypted. ${waiting} workspaces have not restarted yet. Those still running need SECRET_KEY_PREVIOUS. Run this again to check.`,
    );
  },
};

async function readKeys({ config, db, secrets }: OpsContext): Promise<RotationKeys> {
  const { secretKey, previousSecretKey } = config;
  if (!previousSecretKey) throw new CommandRefused("Set SECRET_KEY_PREVIOUS to the old key and SECRET_KEY to the new one.");
  if (previousSecretKey === secretKey) throw new CommandRefused("SECRET_KEY and SECRET_KEY_PREVIOUS are the same key.");
  if ((await readNotedSecretKey(db)) !== secrets.keyId)
    throw new CommandRefused(
      "The service is not running with this SECRET_KEY yet. Restart it with SECRET_KEY and SECRET_KEY_PREVIOUS first.",
    );
  return rotationKeys(secretKey, previousSecretKey);
}

async function rotateAllWorkspaces(
  { db, print, operator, clock }: OpsContext,
  keys: RotationKeys,
  wave: number,
  atOnce: boolean,
): Promise<string[]> {
  const unreadable: string[] = [];
  let done = 0;
  // Those kept ready for launches have secrets too; new ones are made with the new key.
  await withdrawAllBlanks(db);
  for (let from: string | null | undefined; from !== null;) {
    const rotated = await rotateWorkspaces(db, keys, { from, most: wave, operator, now: clock.now() });
    unreadable.push(...rotated.unreadable.map((id) => `the secrets of workspace ${id}`));
    done += rotated.done.length;
    if (rotated.done.length > 0) {
      print(`${done} workspaces re-encrypted.`);
      if (!atOnce) await waitForWave(db, rotated.done);
    }
    from = rotated.next;
  }
  return unreadable;
}

/** Waits until each of them that should run has started again. */
async function waitForWave(db: OpsContext["db"], ids: readonly string[]): Promise<void> {
  for (const until = performance.now() + waveTimeoutMs; ; await delay(pollMs)) {
    const waiting = await countNotYetStarted(db, ids);
    if (waiting === 0) return;
    if (performance.now() > until)
      throw new CommandRefused(
        `Stopped: ${waiting} workspaces did not start within ${waveTimeoutMs / 60_000} minutes. Is the service running? Their journals have details. Run this again to continue.`,
      );
  }
}

async function rotateAllExports({ db }: OpsContext, keys: RotationKeys): Promise<string[]> {
  const unreadable: string[] = [];
  for (let from: string | null | undefined; from !== null;) {
    const rotated = await rotateExports(db, keys, { from });
    unreadable.push(...rotated.unreadable.map((id) => `the key of export ${id}`));
    from = rotated.next;
  }
  return unreadable;
}

async function resealAll({ config, db, secrets, print }: OpsContext): Promise<string[]> {
  const storage = await createBackupStorage(config.backupsUrl, join(config.dataDir, "backups"));
  const keys = createBackupKeys(secrets, secrets.previous ? [secrets.previous] : []);
  const { done, unreadable } = await resealStored(db, { storage, keys });
  print(`${done} stored files re-encrypted.`);
  return unreadable;
}
