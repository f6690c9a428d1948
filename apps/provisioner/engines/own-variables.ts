/**
 * Passes the owner's environment variables to a workspace in a file that it reads and removes at its start. They are in no environment of a
 * driver's own programs, and braces in a value are not treated as templates.
 */
import { readVariables } from "#domain/workspaces/settings/workspace-variables.ts";
import type { RunSpec } from "../drivers/driver.ts";
import type { EngineWorkspace } from "./engine.ts";
import { variablesFile } from "./workspace-side/take-variables.mts";

/** What a workspace gets at its start for its variables. A start that failed before it read the file has left it behind. */
export function ownVariables({ secrets }: EngineWorkspace): Required<Pick<RunSpec, "files" | "absent">> {
  const { variables } = readVariables(secrets);
  if (variables.length === 0) return { files: [], absent: [variablesFile] };
  const content = Buffer.from(JSON.stringify(Object.fromEntries(variables.map(({ name, value }) => [name, value])))).toString("base64");
  return { files: [{ path: variablesFile, content, mode: 0o600 }], absent: [variablesFile] };
}
