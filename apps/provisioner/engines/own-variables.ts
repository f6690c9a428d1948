/**
 * Passes the owner's environment variables to a workspace in a file that it reads and removes at its start. They are not in the environment
 * of a driver's own programs, and braces in a value are not treated as templates. Settings of the tool are in its environment as well,
 * because it reads them before the file.
 */
import { readVariables, refusalOf, type StoredVariable } from "#domain/workspaces/settings/workspace-variables.ts";
import type { RunSpec } from "../drivers/driver.ts";
import type { Engine, EngineWorkspace } from "./engine.ts";
import { variablesFile } from "./workspace-side/take-variables.mts";

/** Those that may be set, whatever the row contains. */
const allowed = ({ secrets }: Pick<EngineWorkspace, "secrets">, settings: Engine["ownerSettings"]): StoredVariable[] =>
  readVariables(secrets).variables.filter((each) => refusalOf(each, settings) === undefined);

/**
 * What a running workspace gets instead of its present variables. Settings of the tool are left out: it read them at its start. `readable`:
 * workflows may read the environment, as after a start with the same variables.
 */
export function runningVariables(
  workspace: Pick<EngineWorkspace, "secrets">,
  settings: Engine["ownerSettings"],
): { variables: Record<string, string>; readable: boolean } {
  const variables = allowed(workspace, settings);
  const late = variables.filter(({ name }) => !settings.some((setting) => setting.name === name));
  return { variables: Object.fromEntries(late.map(({ name, value }) => [name, value])), readable: variables.length > 0 };
}

/**
 * What a workspace gets at its start for its variables. A start that failed before reading the file has left it behind. Put `env` before the engine's own variables, which take precedence.
 */
export function ownVariables(
  workspace: EngineWorkspace,
  settings: Engine["ownerSettings"],
): Required<Pick<RunSpec, "env" | "files" | "absent">> {
  const variables = allowed(workspace, settings);
  const named = variables.map(({ name, value }) => [name, value] as const);
  const env = Object.fromEntries(named.filter(([name]) => settings.some((setting) => setting.name === name)));
  if (variables.length === 0) return { env, files: [], absent: [variablesFile] };
  const content = Buffer.from(JSON.stringify(Object.fromEntries(named))).toString("base64");
  return { env, files: [{ path: variablesFile, content, mode: 0o600 }], absent: [variablesFile] };
}
