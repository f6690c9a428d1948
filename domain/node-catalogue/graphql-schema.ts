/** The node catalogue as a GraphQL schema: pages of nodes, each with an id and its attributes. */
import {
  GraphQLBoolean,
  GraphQLError,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
} from "graphql";
import { mostNodes } from "#contract/workspaces/node-catalogue.ts";
import type { Catalogue, CatalogueNode } from "./catalogue.ts";

/** What the resolvers work with. */
interface CatalogueContext {
  catalogue: Catalogue;
}

interface Asked {
  pagination?: { start?: number; limit?: number } | null;
  sort?: string[] | null;
  filters?: { name?: { in?: string[] | null } | null } | null;
}

const required = <Type extends GraphQLScalarType | GraphQLObjectType | GraphQLList<GraphQLNonNull<GraphQLScalarType | GraphQLObjectType>>>(
  type: Type,
) => new GraphQLNonNull(type);
const listOf = (type: GraphQLScalarType | GraphQLObjectType) => required(new GraphQLList(required(type)));

const json = new GraphQLScalarType({ name: "JSON", description: "Any JSON value.", serialize: (value) => value });

const attributes = new GraphQLObjectType<CatalogueNode>({
  name: "NodeAttributes",
  fields: {
    name: { type: required(GraphQLString), description: "Unique, such as n8n-nodes-base.slack." },
    displayName: { type: required(GraphQLString) },
    popularity: { type: required(GraphQLFloat), description: "From 0 to 1." },
    categories: { type: listOf(GraphQLString) },
    iconData: {
      type: json,
      description:
        "{type, fileBuffer}, with the picture as a data: address; null where there is none. Not embedded: {type} alone, and the picture is at /api/node-catalogue/icon.",
      args: { embed: { type: GraphQLBoolean, defaultValue: true } },
      resolve: ({ icon }, { embed }: { embed: boolean | null }) =>
        icon && (embed === false ? { type: icon.mime } : { type: "file", fileBuffer: `data:${icon.mime};base64,${icon.base64}` }),
    },
  },
});

const node = new GraphQLObjectType<CatalogueNode>({
  name: "Node",
  fields: {
    id: { type: required(GraphQLID), resolve: ({ name }) => name },
    attributes: { type: required(attributes), resolve: (row) => row },
  },
});

const pagination = new GraphQLObjectType({
  name: "Pagination",
  fields: { total: { type: required(GraphQLInt) }, start: { type: required(GraphQLInt) }, limit: { type: required(GraphQLInt) } },
});
const meta = new GraphQLObjectType({
  name: "NodesMeta",
  fields: {
    pagination: { type: required(pagination) },
    version: { type: required(GraphQLString), description: "Changes with the contents." },
  },
});
const page = new GraphQLObjectType({ name: "NodePage", fields: { data: { type: listOf(node) }, meta: { type: required(meta) } } });

const paginationInput = new GraphQLInputObjectType({
  name: "PaginationInput",
  fields: { start: { type: GraphQLInt }, limit: { type: GraphQLInt, description: `At most ${mostNodes}.` } },
});
const names = new GraphQLInputObjectType({ name: "NamesInput", fields: { in: { type: new GraphQLList(required(GraphQLString)) } } });
const filters = new GraphQLInputObjectType({ name: "NodeFilters", fields: { name: { type: names } } });

export const catalogueSchema = new GraphQLSchema({
  query: new GraphQLObjectType<unknown, CatalogueContext>({
    name: "Query",
    fields: {
      nodes: {
        type: required(page),
        description: "Nodes by popularity, then display name.",
        args: {
          pagination: { type: paginationInput },
          sort: { type: new GraphQLList(required(GraphQLString)) },
          filters: { type: filters },
        },
        resolve: (_root, asked: Asked, { catalogue }) => listNodes(catalogue, asked),
      },
    },
  }),
});

/** The only supported order may be requested by name; any other is refused rather than ignored. */
const order = ["popularity:desc", "displayname:asc"];

function listNodes({ nodes, version }: Catalogue, { pagination: asked, sort, filters: wanted }: Asked) {
  const start = asked?.start ?? 0;
  const limit = asked?.limit ?? mostNodes;
  if (start < 0 || limit < 0 || limit > mostNodes)
    throw new GraphQLError(`"start" must not be negative, and "limit" must be from 0 to ${mostNodes}.`);
  const askedOrder = sort?.map((part) => (part.includes(":") ? part : `${part}:asc`).toLowerCase());
  if (askedOrder && (askedOrder.length > order.length || askedOrder.some((part, index) => part !== order[index])))
    throw new GraphQLError(`Nodes come sorted by ${order.join(", ")}.`);
  const only = wanted?.name?.in ? new Set(wanted.name.in) : null;
  const fitting = only ? nodes.filter(({ name }) => only.has(name)) : nodes;
  return { data: fitting.slice(start, start + limit), meta: { pagination: { total: fitting.length, start, limit }, version } };
}
