/** Installed community nodes, as n8n lists them in .n8n/nodes/package.json. */

export interface InstalledNodes {
  /** Of the package. */
  name: string;
  version: string;
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
