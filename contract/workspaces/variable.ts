/** The environment variables an owner sets for their workspace. */
import { z } from "zod";
import type { FieldCode } from "../api/field-words.ts";
import { hasUnseen } from "../api/printable-text.ts";
import { defineRoute } from "../api/route.ts";
import { mostVariables } from "./workspace-values.ts";

const says = (code: FieldCode): FieldCode => code;

/** For all values together, in characters: they are in each process's memory and in a database row. */
export const mostVariableText = 32_768;
const mostValueLength = 4096;

/**
 * What n8n, Node.js, the system's libraries, the programs that n8n starts and this service read themselves; setting such a name would
 * change how a workspace runs.
 */
const reserved =
  /^(?:N8N_|SLIPWAY_|NODE|NPM_|DB_|EXECUTIONS_|QUEUE_|CREDENTIALS_|EXTERNAL_|WEBHOOK_|WORKFLOWS_|GENERIC_|CODE_|DEPLOYMENT_|MIGRATIONS_|OFFLOAD_|INSTANCE_AI_|ENABLE_|E2E_|EVAL_|VITEST|SKIP_|OTEL_|GIT_|SSH_|LD_|DYLD_|GLIBC_|MALLOC_|LC_|LANG|SSL_|OPENSSL_|HTTP_PROXY$|HTTPS_PROXY$|ALL_PROXY$|NO_PROXY$|NO_COLOR$|PYTHON|BASH|UV_|XDG_|(?:PATH|HOME|TMPDIR|TMP|TEMP|TZ|TZDIR|PGTZ|USER|USERPROFILE|LOCALAPPDATA|LOGNAME|SHELL|PWD|ENV|IFS|PS4|DEBUG|CI|ENVIRONMENT|GITHUB_OUTPUT|GCONV_PATH|LOCPATH|NLSPATH|RES_OPTIONS|HOSTALIASES)$)/;

export const isReservedVariable = (name: string): boolean => reserved.test(name);

/** Reserved names are refused later: the engine lets owners set some of them. */
export const variableName = z.string(says("variable.name")).regex(/^[A-Z][A-Z0-9_]{0,63}$/, says("variable.name"));

/** One line, because a value is shown and typed in a single-line field; otherwise as typed, spaces and composition included. */
export const variableValue = z
  .string(says("variable.value"))
  .max(mostValueLength, says("variable.value_length"))
  .refine((value) => !hasUnseen(value), says("variable.value"));

const variable = z
  .object({
    name: z.string(),
    isSecret: z.boolean(),
    value: z.string().nullable().meta({ description: "null: the value is secret and is not shown again" }),
  })
  .meta({ id: "WorkspaceVariable" });
export type WorkspaceVariable = z.infer<typeof variable>;

const variables = z.object({
  variables: z.array(variable),
  revision: z
    .number()
    .int()
    .meta({ description: "version of the variables; send it back with a change to have a change based on older variables refused" }),
});

export const listVariables = defineRoute({
  method: "GET",
  path: "/instance/variables",
  tag: "Workspace",
  summary: "The environment variables for workflows, by name; secret values are left out",
  auth: "session",
  success: { status: 200, body: variables },
  problems: ["workspace_not_found"],
});

export const listVariableSettings = defineRoute({
  method: "GET",
  path: "/instance/variables/settings",
  tag: "Workspace",
  summary: "The engine's own settings that can be set as environment variables, by name",
  auth: "session",
  success: {
    status: 200,
    body: z.object({
      settings: z.array(z.object({ name: z.string(), values: z.string().meta({ description: "what it accepts" }) })),
      onlySettingsRestart: z.boolean().meta({
        description: "true: other variables take effect within seconds, without a restart; false: any change restarts the workspace",
      }),
    }),
  },
  problems: [],
});

export const variablesChange = z.object({
  revision: z.number().int(),
  variables: z
    .array(
      z.object({
        name: variableName,
        isSecret: z.boolean(),
        value: variableValue.optional().meta({ description: "if omitted, the value is unchanged" }),
      }),
    )
    .max(mostVariables, says("variables.too_many")),
});
export type VariablesChange = z.infer<typeof variablesChange>;

export const changeVariables = defineRoute({
  method: "PUT",
  path: "/instance/variables",
  tag: "Workspace",
  summary: "Replace all environment variables; a change of the engine's own settings among them restarts the workspace",
  auth: "session",
  body: variablesChange,
  success: { status: 202, body: variables },
  problems: ["workspace_not_found", "settings_changed", "instance_operations_off"],
});
