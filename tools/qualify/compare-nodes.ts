/** What a release's nodes differ in from those of the release before it. */

export interface ListedNode {
  /** Unique, such as "n8n-nodes-base.slack". */
  name: string;
  displayName: string;
  /** The newest that the node has. */
  version: number;
}

interface NodeChanges {
  newNodes: string[];
  changedNodes: string[];
  removedNodes: string[];
}

/** By display name, in alphabetical order. A node with a new name but an old display name is a change of that node. */
export function compareNodes(before: readonly ListedNode[], after: readonly ListedNode[]): NodeChanges {
  const missingIn = (list: readonly ListedNode[]) => {
    const names = new Set(list.flatMap(({ name, displayName }) => [name, displayName]));
    return ({ name, displayName }: ListedNode) => !names.has(name) && !names.has(displayName);
  };
  const versions = new Map(before.map(({ name, version }) => [name, version]));
  return {
    newNodes: namesOf(after.filter(missingIn(before))),
    changedNodes: namesOf(after.filter(({ name, version }) => version > (versions.get(name) ?? version))),
    removedNodes: namesOf(before.filter(missingIn(after))),
  };
}

const namesOf = (nodes: readonly ListedNode[]): string[] =>
  [...new Set(nodes.map(({ displayName }) => displayName))].toSorted((one, other) => one.localeCompare(other, "en"));
