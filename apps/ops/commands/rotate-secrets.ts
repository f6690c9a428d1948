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
import { CommandRefused, type Command, type OpsContext } from "../command.ts";

const usualWave = 5;
const mostWave = 1000;
const pollMs = 1000;
/** A workspace gets 3 minutes to come to life, and a restart may wait for running executions before. */
const waveTimeoutMs = 10 * 60_000;

/** Encrypts anew by SECRET_KEY what SECRET_KEY_PREVIOUS encrypted, and restarts the workspaces that believe the previous key. */
export const rotateSecrets: Command = {
  name: "rotate-secrets",
  options: {
    wave: { type: "string", summary: `how many workspaces restart at a time, ${usualWave} unless given` },
    "at-once": { type: "boolean", summary: "ask for all restarts without waiting for any" },
  },
  summary:
    "Encrypt everything anew with SECRET_KEY that SECRET_KEY_PREVIOUS encrypted, and restart workspaces in waves; the service must run with both. Called again, it goes on where it stopped",
  async run(context, { options }) {
    const keys = await readKeys(context);
    const wave = Number(options["wave"] ?? usualWave);
    if (!Number.isInteger(wave) || wave < 1 || wave > mostWave) throw new CommandRefused(`--wave must be a number from 1 to ${mostWave}.`);
    const unreadable = [
      ...(await rotateAllWorkspaces(context, keys, wave, options["at-once"] === true)),
      ...(await rotateAllExports(context, keys)),
      ...(await resealAll(context)),
    ];
    for (const what of unreadable) context.print(`  neither key opens ${what}`);
    if (unreadable.length > 0)
      throw new CommandRefused(`${unreadable.length} could not be opened by either key and are as they were. Everything else is done.`);
    const waiting = await countNotYetStarted(context.db);
    context.print(
      waiting === 0
        ? "All done. Take SECRET_KEY_PREVIOUS away and restart the service."
        : `All is encrypted anew. ${waiting} workspaces are not up from their restart yet: one of them that still runs needs SECRET_KEY_PREVIOUS. Call this again to see.`,
    );
  },
};

async function readKeys({ config, db, secrets }: OpsContext): Promise<RotationKeys> {
  const { secretKey, previousSecretKey } = config;
  if (!previousSecretKey) throw new CommandRefused("Give the key that was in use as SECRET_KEY_PREVIOUS, and the new one as SECRET_KEY.");
  if (previousSecretKey === secretKey) throw new CommandRefused("SECRET_KEY and SECRET_KEY_PREVIOUS are the same key.");
  if ((await readNotedSecretKey(db)) !== secrets.keyId)
    throw new CommandRefused(
      "The service does not run with this SECRET_KEY yet. Restart it with SECRET_KEY and SECRET_KEY_PREVIOUS first.",
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
  for (let from: string | null | undefined; from !== null;) {
    const rotated = await rotateWorkspaces(db, keys, { from, most: wave, operator, now: clock.now() });
    unreadable.push(...rotated.unreadable.map((id) => `the secrets of workspace ${id}`));
    done += rotated.done.length;
    if (rotated.done.length > 0) {
      print(`${done} workspaces are encrypted anew.`);
      if (!atOnce) await waitForWave(db, rotated.done);
    }
    from = rotated.next;
  }
  return unreadable;
}

/** Until each of them that is to run came to life again. */
async function waitForWave(db: OpsContext["db"], ids: readonly string[]): Promise<void> {
  for (const until = performance.now() + waveTimeoutMs; ; await delay(pollMs)) {
    const waiting = await countNotYetStarted(db, ids);
    if (waiting === 0) return;
    if (performance.now() > until)
      throw new CommandRefused(
        `Stopped: ${waiting} workspaces did not come to life within ${waveTimeoutMs / 60_000} minutes. Is the service running? Their journals say more. Call this again to go on.`,
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
  print(`${done} stored files are encrypted anew.`);
  return unreadable;
}
