/** Installed community nodes, as n8n lists them in .n8n/nodes/package.json. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface InstalledNodes {
  /** Of the package. */
  name: string;
  version: string;
}

/** The file's text: names and versions. Empty if nothing was ever installed, or the file cannot be read. */
export function readInstalled(folder: string): string {
  try {
    return readFileSync(join(folder, ".n8n", "nodes", "package.json"), "utf8");
  } catch {
    return "";
  }
}

/** The packages in such a file, by name; undefined if it cannot be parsed. */
export function nodesIn(text: string): InstalledNodes[] | undefined {
  try {
    const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, unknown> };
    return Object.entries(dependencies)
      .map(([name, version]) => ({ name, version: String(version) }))
      .toSorted((one, other) => one.name.localeCompare(other.name));
  } catch {
    return undefined;
  }
}
