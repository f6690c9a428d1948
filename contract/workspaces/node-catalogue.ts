/** The node catalogue, by GraphQL: what the engine can connect to, and each node's icon. */
import { z } from "zod";
import { nodeName } from "../accounts/onboarding/onboarding.ts";
import { defineRoute } from "../api/route.ts";

/** Up to 9999 nodes per request. */
export const mostNodes = 9999;

/** 4,000 characters: ten times the panel's own query. */
const longestQuery = 4_000;

/** GraphQL's own form: what can be answered in part carries its errors beside the data, with status 200. */
export const graphql = defineRoute({
  method: "POST",
  path: "/graphql",
  tag: "Node catalogue",
  summary:
    "The node catalogue in GraphQL: nodes by popularity and display name, with name, displayName, popularity, iconData and categories",
  auth: "none",
  body: z.object({
    query: z.string("value.invalid").min(1, "value.invalid").max(longestQuery, "value.invalid"),
    variables: z.record(z.string(), z.unknown()).nullish(),
    operationName: z.string().max(200).nullish(),
    // GraphQL's own: its clients say their version there.
    extensions: z.record(z.string(), z.unknown()).nullish(),
  }),
  success: {
    status: 200,
    body: z.object({ data: z.unknown().optional(), errors: z.array(z.looseObject({ message: z.string() })).optional() }),
  },
  problems: ["too_many_requests"],
});

export const nodeIcon = defineRoute({
  method: "GET",
  path: "/node-catalogue/icon",
  tag: "Node catalogue",
  summary: "A node's icon (SVG or PNG); it never changes for one version of the catalogue",
  auth: "none",
  query: z.object({ name: nodeName, version: z.string().max(64).optional() }),
  success: { status: 200, body: null },
  problems: ["not_found"],
});

/** The panel's query; pictures (two megabytes) are not embedded, because they load as they are scrolled into view. */
export interface CatalogueEntry {
  id: string;
  name: string;
  displayName: string;
  popularity: number;
  /** Null where there is no picture to fetch. */
  iconData: { type: string } | null;
  categories: string[];
}
