/**
 * Settings of n8n that an owner may choose among their environment variables. The list is closed: most of n8n's 400 names determine where
 * data is stored, what is open to whom, or what else runs, and a new release may add more of those. `N8N_DEFAULT_LOCALE` is left out
 * because its packages contain only English: the editor and the nodes have no translations to switch to.
 */
import type { OwnerSetting } from "#domain/workspaces/settings/workspace-variables.ts";

const oneOf = (name: string, ...all: string[]): OwnerSetting => ({ name, accepts: (value) => all.includes(value), values: all.join(", ") });

const upTo = (name: string, most: number): OwnerSetting => ({
  name,
  accepts: (value) => /^[1-9]\d{0,8}$/.test(value) && Number(value) <= most,
  values: `1–${most}`,
});

const like = (name: string, pattern: RegExp, values: string): OwnerSetting => ({ name, accepts: (value) => pattern.test(value), values });

const hourSeconds = 3_600;

/** By name. Whatever the values, the workspace's memory and processors limit what n8n can run. */
export const n8nOwnerSettings: readonly OwnerSetting[] = [
  upTo("EXECUTIONS_TIMEOUT", 24 * hourSeconds),
  upTo("EXECUTIONS_TIMEOUT_MAX", 24 * hourSeconds),
  upTo("N8N_FORMDATA_FILE_SIZE_MAX", 200),
  oneOf("N8N_LOG_LEVEL", "error", "warn", "info", "debug"),
  like("N8N_LOG_SCOPES", /^[a-z][a-z-]{0,40}(?:,[a-z][a-z-]{0,40}){0,20}$/, "concurrency, license, …"),
  upTo("N8N_PAYLOAD_SIZE_MAX", 64),
  upTo("N8N_RUNNERS_TASK_TIMEOUT", hourSeconds),
  oneOf("N8N_WORKFLOW_AUTODEACTIVATION_ENABLED", "true", "false"),
  upTo("N8N_WORKFLOW_AUTODEACTIVATION_MAX_LAST_EXECUTIONS", 100),
  oneOf("N8N_WORKFLOW_TAGS_DISABLED", "true", "false"),
];
