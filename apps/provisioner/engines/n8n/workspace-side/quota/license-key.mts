/**
 * The operator's license in a workspace: its key is removed before customers' code runs, and the license ends with the plan that included
 * it.
 */
import { rmSync } from "node:fs";
import type { HookContext, Internals } from "../internals.mts";

const variable = "N8N_LICENSE_ACTIVATION_KEY_FILE";
/** In n8n's own database, so that a restored backup contains the mark together with the certificate. */
const mark = "slipway.license";

/** Removes the file from which n8n has just read its key. True if this workspace's plan includes the license. */
export function takeLicenseKeyAway(): boolean {
  const file = process.env[variable];
  if (file === undefined) return false;
  rmSync(file, { force: true });
  delete process.env[variable];
  return true;
}

/**
 * Ends a license of the operator that an earlier plan left in the database. A license that the owner activated has no mark of ours, and
 * stays.
 */
export async function settleLicense(
  { dbCollections: { Settings } }: HookContext,
  { license }: Internals,
  isLicensed: boolean,
): Promise<void> {
  license.forgetKey();
  if (isLicensed) return void (await Settings.save({ key: mark, value: "true", loadOnStartup: false }));
  if (!(await Settings.findOne({ where: { key: mark } }))) return;
  await license.clear();
  await Settings.delete({ key: mark });
}
