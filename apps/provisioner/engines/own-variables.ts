/**
 * The owner's environment variables on their way into a workspace: a file that the workspace reads and removes when it starts. They are in
 * no environment that a driver's own programs run with, and braces in a value are no template.
 */
import { readVariables } from "#domain/workspaces/settings/workspace-variables.ts";
import type { RunSpec } from "../drivers/driver.ts";
import type { EngineWorkspace } from "./engine.ts";
import { variablesFile } from "./workspace-side/take-variables.mts";

/** What a workspace is started with beside the rest. A start that failed before the file was read has left it behind. */
export function ownVariables({ secrets }: EngineWorkspace): Required<Pick<RunSpec, "files" | "absent">> {
  const { variables } = readVariables(secrets);
  if (variables.length === 0) return { files: [], absent: [variablesFile] };
  const content = Buffer.from(JSON.stringify(Object.fromEntries(variables.map(({ name, value }) => [name, value])))).toString("base64");
  return { files: [{ path: variablesFile, content, mode: 0o600 }], absent: [variablesFile] };
}
