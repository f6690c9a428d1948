/** Loads the catalogue: names and categories in one answer of 90 KB, pictures one by one as they are scrolled into view. */
import type { CatalogueEntry } from "#contract/workspaces/node-catalogue.ts";
import { callApi, callUrl } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";

export interface AppCatalogue {
  version: string;
  nodes: CatalogueEntry[];
}

const question = `query Apps {
  nodes(pagination: {limit: 9999}, sort: ["popularity:desc", "displayName:asc"]) {
    data { id attributes { name displayName popularity iconData(embed: false) categories } }
    meta { version }
  }
}`;

/** Throws ApiError, also if GraphQL's answer contains only errors. */
export async function loadApps(signal?: AbortSignal): Promise<AppCatalogue> {
  const { data } = await callApi("graphql", { body: { query: question }, ...(signal ? { signal } : {}) });
  const page = (
    data as { nodes: { data: { id: string; attributes: Omit<CatalogueEntry, "id"> }[]; meta: { version: string } } } | null | undefined
  )?.nodes;
  if (!page) throw new ApiError("unreadable", 200);
  return { version: page.meta.version, nodes: page.data.map(({ id, attributes }) => ({ id, ...attributes })) };
}

/** The address of an app's picture. It contains the version, so that what it shows never changes. */
export const iconUrl = (name: string, version: string): string => `${callUrl("nodeIcon")}?${new URLSearchParams({ name, version })}`;
