/**
 * How the operator's license gets into a workspace, for as short a time as n8n allows. A tenant who can run commands can read their
 * process's environment and files, so the key must be in neither once their code can run. n8n reads it from a file during its start, and
 * the hook, which n8n loads next, removes both file and value (workspace-side/quota/license-key.mts). docs/decisions/0079-n8n-license.md
 * describes what a tenant can still reach.
 */
import type { RunSpec } from "../../drivers/driver.ts";
import type { EngineWorkspace } from "../engine.ts";

export interface N8nLicense {
  activationKey: string;
  /** n8n's own server by default. */
  serverUrl?: string | undefined;
}

const path = ".slipway-license";

/**
 * A tenant's files that n8n or Node runs during n8n's start, before hooks are loaded: variables (also of n8n's license server), handmade
 * nodes, and replacements for optional modules that n8n does not include.
 */
const runsBeforeHooks = [".env", ".node_modules", ".node_libraries", ".n8n/custom"];

/** What a workspace gets at its start for the license. `hasLicense` is false if its plan does not include it, or if there is none. */
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
