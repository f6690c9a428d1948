/** Limits what a query to the catalogue may cost: it is public. */
import { GraphQLError, Kind, type DocumentNode, type SelectionSetNode } from "graphql";

/** The panel's own query has 8 fields, 4 deep; standard introspection some 120, 15 deep. */
const queryLimits = { depth: 6, fields: 40, listings: 2, introspectionDepth: 20, introspectionFields: 400 } as const;

/** The maximum number of tokens in a query, checked before it is parsed. */
export const mostTokens = 800;

interface Count {
  fields: number;
  depth: number;
  listings: number;
}

/**
 * Counts fields with every fragment expanded, as they would be executed, and stops at the limit: otherwise a few
 * fragments that spread each other could mean billions. Returns the refusal, or null.
 */
export function refuseCostly(document: DocumentNode): GraphQLError | null {
  const fragments = new Map(
    document.definitions.flatMap((part) => (part.kind === Kind.FRAGMENT_DEFINITION ? [[part.name.value, part.selectionSet] as const] : [])),
  );
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const isIntrospection = definition.selectionSet.selections.every(
      (selection) => selection.kind === Kind.FIELD && selection.name.value.startsWith("__"),
    );
    const most = isIntrospection ? { depth: queryLimits.introspectionDepth, fields: queryLimits.introspectionFields } : queryLimits;
    const count: Count = { fields: 0, depth: 0, listings: 0 };
    walk(definition.selectionSet, 1, count, fragments, most.fields);
    if (count.fields > most.fields || count.depth > most.depth || count.listings > queryLimits.listings) {
      return new GraphQLError(
        `This asks for too much: at most ${most.fields} fields, ${most.depth} deep, and ${queryLimits.listings} lists of nodes at once.`,
      );
    }
  }
  return null;
}

function walk(
  set: SelectionSetNode,
  depth: number,
  count: Count,
  fragments: ReadonlyMap<string, SelectionSetNode>,
  mostFields: number,
): void {
  for (const selection of set.selections) {
    // Spreads count as well: otherwise a chain of empty ones would be free.
    count.fields += 1;
    if (count.fields > mostFields) return;
    if (selection.kind === Kind.FIELD) {
      count.depth = Math.max(count.depth, depth);
      if (selection.name.value === "nodes" && depth === 1) count.listings += 1;
      if (selection.selectionSet) walk(selection.selectionSet, depth + 1, count, fragments, mostFields);
    } else {
      const inner = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection.selectionSet;
      if (inner) walk(inner, depth, count, fragments, mostFields);
    }
  }
}
