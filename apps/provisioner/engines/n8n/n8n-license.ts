/**
 * How the operator's licence gets into a workspace, as briefly as n8n allows. A tenant who can run commands reads their own process's
 * environment and files, so the key is in neither once their code can run: n8n reads it from a file while it starts, and the hook, which
 * n8n loads next, removes file and value (workspace-side/license-key.mts). docs/decisions/0079-n8n-license.md says what a tenant can still get at.
 */
import type { RunSpec } from "../../drivers/driver.ts";
import type { EngineWorkspace } from "../engine.ts";

export interface N8nLicense {
  activationKey: string;
  /** n8n's own server unless given. */
  serverUrl?: string | undefined;
}

const path = ".slipway-license";

/**
 * What of a tenant's own n8n or Node runs while n8n starts, before it loads hooks: variables (of n8n's licence server, too), nodes made by
 * hand, and modules in place of optional ones that n8n does not bring along.
 */
const runsBeforeHooks = [".env", ".node_modules", ".node_libraries", ".n8n/custom"];

/** What a workspace is started with beside the rest. `hasLicense` is false where its plan includes no licence, or there is none. */
export function licenseOf(
  { features }: EngineWorkspace,
  license: N8nLicense | undefined,
): Required<Pick<RunSpec, "env" | "files" | "absent">> & { hasLicense: boolean } {
  // A start that failed before the hook has left its key behind.
  if (!license || !features?.n8nLicense) return { hasLicense: false, env: {}, files: [], absent: [path] };
  return {
    hasLicense: true,
    absent: [path, ...runsBeforeHooks],
    env: { N8N_LICENSE_ACTIVATION_KEY_FILE: `{{folder}}/${path}`, ...(license.serverUrl && { N8N_LICENSE_SERVER_URL: license.serverUrl }) },
    files: [{ path, content: license.activationKey, mode: 0o600 }],
  };
}
