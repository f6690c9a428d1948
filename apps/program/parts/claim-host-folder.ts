/** Ensures that a data folder keeps the workspaces of one host only, whatever the settings say later. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mainHost } from "#domain/workspaces/hosts/host-names.ts";
import { StartTrouble } from "#platform/start-trouble.ts";

/**
 * Writes the host's name into the folder. Throws StartTrouble if its workspaces belong to another host: under a new name, no host would own
 * their rows, and the worker would end them as another host's.
 */
export function claimHostFolder(dataDir: string, name: string): void {
  const file = join(dataDir, "host-name");
  const written = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  // A name without workspaces does not count: a first start without HOST_NAME, which was refused, has written one too.
  const holder = hasWorkspaces(dataDir) ? written || mainHost : name;
  if (holder !== name)
    throw new StartTrouble(
      `The data folder ${dataDir} contains the workspaces of host ${holder}, but HOST_NAME is ${name}. Set HOST_NAME=${holder}, or choose another DATA_DIR.`,
    );
  if (written !== name) writeFileSync(file, `${name}\n`);
}

/** A folder without a name is older than host names. */
function hasWorkspaces(dataDir: string): boolean {
  const folder = join(dataDir, "workspaces");
  return existsSync(folder) && readdirSync(folder).some((name) => !name.startsWith("."));
}
