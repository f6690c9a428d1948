/** The types of the node catalogue, whichever engine it comes from. */

export interface CatalogueIcon {
  mime: "image/svg+xml" | "image/png";
  base64: string;
}

export interface CatalogueNode {
  /** Unique, such as "n8n-nodes-base.slack". */
  name: string;
  displayName: string;
  /** 0 to 1; how often workflows use it, by the engine's own statistics. */
  popularity: number;
  categories: readonly string[];
  /** Null if the engine draws the icon itself, and in the snapshot. */
  icon: CatalogueIcon | null;
}

/** A whole catalogue; `version` changes whenever its contents may. */
export interface Catalogue {
  version: string;
  /** By popularity, then display name. */
  nodes: readonly CatalogueNode[];
}

const byName = new Intl.Collator("en", { sensitivity: "base", numeric: true });

/** Most popular first; equally popular ones by display name, then by name, so that the order never changes. */
export function sortNodes(nodes: readonly CatalogueNode[]): CatalogueNode[] {
  return nodes.toSorted(
    (one, other) =>
      other.popularity - one.popularity || byName.compare(one.displayName, other.displayName) || (one.name < other.name ? -1 : 1),
  );
}
