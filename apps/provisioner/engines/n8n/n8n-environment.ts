/** The complete environment of an n8n process: variables not listed here do not reach a workspace. */
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { deliveredFeatures } from "#contract/billing/plans/delivered-features.ts";
import type { EngineWorkspace } from "../engine.ts";
import { communityModulesWithout, communityNodesEnvironment, type CommunityNodes } from "./community-nodes/community-nodes.ts";
import type { N8nMemory } from "./n8n-memory.ts";

const hoursADay = 24;

interface N8nEnvironmentOptions {
  /** Absolute path of a program called `node`. */
  nodeBinary: string;
  hookFile: string;
  /** What starts of the release share. */
  prepared: string;
  /** Ed25519 public key: SPKI, DER, base64. */
  publicKey: string;
  /** False if customers reach workspaces over plain http. */
  secureCookies: boolean;
  /** The template gallery of the editor; null: none. The customer's browser calls it, not the workspace. */
  templatesUrl: string | null;
  memory: N8nMemory;
  /** None in a workspace with the license: their code runs before the hook removes the operator's key. */
  communityNodes: CommunityNodes;
  /** A folder with `npm` in it; absent if this host has none. */
  npmBin?: string | undefined;
  /** Whether this workspace uses the operator's license. */
  hasLicense: boolean;
}

/** The environment of one workspace. Any code in a workspace can read it, so it gives no access to anything outside. */
export function buildN8nEnvironment(workspace: EngineWorkspace, options: N8nEnvironmentOptions): Record<string, string> {
  return {
    ...place(workspace, options),
    ...address(workspace, options),
    ...hook(workspace, options),
    ...executions(workspace),
    ...concurrency,
    ...silence,
    ...logging,
    ...features(workspace, options),
    ...communityNodesEnvironment(options.communityNodes),
    ...templates(options.templatesUrl),
    ...safety,
    ...codeRunner(options),
    ...allocator,
  };
}

const place = (workspace: EngineWorkspace, { nodeBinary, npmBin }: N8nEnvironmentOptions): Record<string, string> => ({
  NODE_ENV: "production",
  // Marks a released n8n; otherwise the editor calls itself [DEV].
  N8N_RELEASE_TYPE: "stable",
  // n8n starts its code runner as plain `node`, which must be the one that n8n runs on.
  PATH: [dirname(nodeBinary), ...(npmBin ? [npmBin] : []), "/usr/bin", "/bin"].join(":"),
  LANG: "C.UTF-8",
  HOME: "{{folder}}",
  TMPDIR: "{{folder}}/tmp",
  N8N_USER_FOLDER: "{{folder}}",
  N8N_ENCRYPTION_KEY: requireSecret(workspace, "encryptionKey"),
  GENERIC_TIMEZONE: workspace.timezone,
  TZ: workspace.timezone,
});

const address = (workspace: EngineWorkspace, options: N8nEnvironmentOptions): Record<string, string> => ({
  N8N_PORT: "{{port.http}}",
  N8N_LISTEN_ADDRESS: "{{address}}",
  N8N_RUNNERS_BROKER_PORT: "{{port.broker}}",
  N8N_EDITOR_BASE_URL: `${workspace.publicUrl}/`,
  WEBHOOK_URL: `${workspace.publicUrl}/`,
  N8N_PROXY_HOPS: "1",
  N8N_SECURE_COOKIE: String(options.secureCookies),
});

const hook = (workspace: EngineWorkspace, options: N8nEnvironmentOptions): Record<string, string> => ({
  EXTERNAL_HOOK_FILES: options.hookFile,
  // Otherwise the editor's fallback answers our addresses with its page.
  N8N_ADDITIONAL_NON_UI_ROUTES: "_slipway:cloud",
  N8N_DEPLOYMENT_TYPE: "cloud",
  SLIPWAY_PREPARED: options.prepared,
  SLIPWAY_READY: "{{ready}}",
  SLIPWAY_WORKSPACE_ID: workspace.id,
  SLIPWAY_PANEL_URL: workspace.panelUrl,
  SLIPWAY_PUBLIC_KEY: options.publicKey,
  // Signs codes for this account's owner, and has no other use.
  SLIPWAY_LOGIN_KEY: requireSecret(workspace, "loginKey"),
});

/** n8n's own default: 14 days. */
const defaultAgeHours = 336;

/** n8n deletes older or surplus executions, oldest first. */
const executions = ({ executions: kept }: EngineWorkspace): Record<string, string> =>
  kept
    ? {
        EXECUTIONS_DATA_PRUNE: "true",
        EXECUTIONS_DATA_MAX_AGE: String(kept.maxAgeHours ?? defaultAgeHours),
        EXECUTIONS_DATA_PRUNE_MAX_COUNT: String(kept.keep),
      }
    : {};

/** Only with a limit does n8n have the queue; the hook sets the plan's (workspace-side/quota/concurrency.mts). */
const concurrency = { N8N_CONCURRENCY_PRODUCTION_LIMIT: "5" } as const;

/**
 * Modules that only call n8n's own servers (mcp-registry), show customers a feature that cannot work here (the AI assistant needs a sandbox
 * service), or need a license and belong to no plan's label. Without them a workspace starts faster and uses less memory.
 */
const disabledModules = [
  "mcp-registry",
  "instance-ai",
  "workflow-builder",
  "sso-oidc",
  "sso-saml",
  "provisioning",
  "dynamic-credentials",
  "token-exchange",
  "instance-registry",
  "quick-connect",
  "workflow-reviews",
] as const;

/** Modules of n8n by the plan label that includes them: a workspace loads one if its plan has the label. */
const featureModules: readonly [module: string, label: RegExp][] = [
  ["insights", /^insights-/],
  ["external-secrets", /^external-secrets$/],
  ["ldap", /^ldap$/],
  ["source-control", /^(environments|version-control)$/],
  ["log-streaming", /^log-streaming$/],
];

/**
 * The variables for the plan's labels. A license that n8n may not renew would end within weeks; without a license there is nothing to renew
 * and no server to call.
 */
function features(workspace: EngineWorkspace, { hasLicense, communityNodes }: N8nEnvironmentOptions): Record<string, string> {
  const delivered = deliveredFeatures(workspace.features ?? { enabledFeatures: ["insights-7-days"] }, {
    engine: "n8n",
    n8nLicense: hasLicense,
  });
  const unsold = featureModules.filter(([, label]) => !delivered.some((code) => label.test(code))).map(([module]) => module);
  const history = delivered.find((code) => code.startsWith("workflow-history-"))?.split("-")[2];
  return {
    N8N_DISABLED_MODULES: [...disabledModules, ...unsold, ...communityModulesWithout(communityNodes)].join(","),
    N8N_LICENSE_AUTO_RENEW_ENABLED: String(hasLicense),
    ...(history && { N8N_WORKFLOW_HISTORY_PRUNE_TIME: history === "unlimited" ? "-1" : String(Number(history) * hoursADay) }),
  };
}

/** No telemetry and no calls home. Diagnostics left on also make a stop take 9.5 s instead of 0.3. */
const silence = {
  N8N_DIAGNOSTICS_ENABLED: "false",
  N8N_VERSION_NOTIFICATIONS_ENABLED: "false",
  N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: "false",
  N8N_PERSONALIZATION_ENABLED: "false",
  N8N_DYNAMIC_BANNERS_ENABLED: "false",
  N8N_HIRING_BANNER_ENABLED: "false",
} as const;

/** Lines with a time and a level, by which the panel filters them: n8n's plain lines contain neither. */
const logging = { N8N_LOG_FORMAT: "json" } as const;

/** n8n appends the runner's heap size unchanged to the runner's NODE_OPTIONS: the only way to load code into that process. */
function codeRunner({ hookFile, memory }: N8nEnvironmentOptions): Record<string, string> {
  const preload = pathToFileURL(join(dirname(hookFile), "runner-preload.mts"));
  preload.searchParams.set("messageMb", String(memory.messageMb));
  preload.searchParams.set("moreMb", String(memory.runnerMb));
  return {
    N8N_RUNNERS_MAX_OLD_SPACE_SIZE: `${memory.runnerHeapMb} --import=${preload.href}`,
    SLIPWAY_MESSAGE_MB: String(memory.messageMb),
    // n8n loads these before any customer code runs, and protects them from it; they open neither files nor processes.
    NODE_FUNCTION_ALLOW_BUILTIN: "crypto,node:crypto",
    NODE_FUNCTION_ALLOW_EXTERNAL: "luxon,moment",
    // The Python runner is not part of n8n's package: see no-python.mts.
    N8N_PYTHON_ENABLED: "false",
  };
}

/**
 * Makes the C library return memory that a start and large executions leave free: 283 MB awake and idle instead of 314 (2.40.7, the same
 * processor time). Otherwise it keeps freed blocks of up to 32 MB, and an arena for each of 13 threads.
 */
const allocator = { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: String(128 * 1024) } as const;

const templates = (url: string | null): Record<string, string> =>
  url ? { N8N_TEMPLATES_ENABLED: "true", N8N_TEMPLATES_HOST: url } : { N8N_TEMPLATES_ENABLED: "false" };

const safety = {
  N8N_BLOCK_ENV_ACCESS_IN_NODE: "true",
  N8N_SSRF_PROTECTION_ENABLED: "true",
  N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: "true",
  // Executions that a hook refuses are shown in the customer's list of executions.
  N8N_PRE_EXECUTE_ERROR_CREATES_EXECUTION: "true",
} as const;

function requireSecret(workspace: EngineWorkspace, name: string): string {
  const value = workspace.secrets[name];
  if (value === undefined || value === "") throw new Error(`workspace ${workspace.id} has no secret "${name}"`);
  return value;
}
