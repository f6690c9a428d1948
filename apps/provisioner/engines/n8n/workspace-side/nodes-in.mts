/** What n8n writes down of installed community nodes, in .n8n/nodes/package.json. */

export interface InstalledNodes {
  /** Of the package. */
  name: string;
  version: string;
}

/** The packages in such a file, by name; undefined where it cannot be read as one. */
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
