/** Answers a GraphQL query to the node catalogue. */
import {
  execute,
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type ExecutionResult,
} from "graphql";
import type { Catalogue } from "./catalogue.ts";
import { catalogueSchema } from "./graphql-schema.ts";
import { mostTokens, refuseCostly } from "./query-limits.ts";

interface CatalogueQuestion {
  query: string;
  variables?: Record<string, unknown> | null | undefined;
  operationName?: string | null | undefined;
}

/** More than anyone reads. */
const mostErrors = 10;

/** Never throws: problems with a query are in `errors`, in GraphQL's format. */
export async function askCatalogue(
  catalogue: Catalogue,
  question: CatalogueQuestion,
  { introspection }: { introspection: boolean },
): Promise<ExecutionResult> {
  const document = read(question.query);
  if (document instanceof GraphQLError) return { errors: [document] };
  const costly = refuseCostly(document);
  if (costly) return { errors: [costly] };
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const errors = validate(catalogueSchema, document, rules, { maxErrors: mostErrors });
  if (errors.length > 0) return { errors };
  return execute({
    schema: catalogueSchema,
    document,
    variableValues: question.variables,
    operationName: question.operationName,
    contextValue: { catalogue },
  });
}

function read(query: string): DocumentNode | GraphQLError {
  try {
    return parse(query, { maxTokens: mostTokens, noLocation: true });
  } catch (error) {
    return error instanceof GraphQLError ? error : new GraphQLError("The question could not be read.");
  }
}
