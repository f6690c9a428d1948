/** The owner's environment variables, as the control plane left them for this start. Used by the control plane and the workspace. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

export const variablesFile = ".slipway-variables";

/** Adds them to this process's environment and removes the file, so that no copy stays on the disk. Returns their names. */
export function takeVariables(folder: string): string[] {
  const file = join(folder, variablesFile);
  if (!existsSync(file)) return [];
  const variables = JSON.parse(Buffer.from(readFileSync(file, "utf8"), "base64").toString("utf8")) as Record<string, string>;
  rmSync(file, { force: true });
  Object.assign(process.env, variables);
  return Object.keys(variables);
}
