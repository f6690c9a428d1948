import { afterAll, beforeAll, expect, test } from "vitest";
import type { CatalogueNode } from "#domain/node-catalogue/catalogue.ts";
import { createTestApi, type TestApi } from "#testing/test-api.ts";

const svg = "<svg xmlns='http://www.w3.org/2000/svg'/>";
const nodes: CatalogueNode[] = [
  { name: "n.code", displayName: "Code", popularity: 1, categories: ["Core Nodes"], icon: null },
  {
    name: "n.slack",
    displayName: "Slack",
    popularity: 0.8,
    categories: ["Communication"],
    icon: { mime: "image/svg+xml", base64: Buffer.from(svg).toString("base64") },
  },
];

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi({
    nodeCatalogue: { current: () => Promise.resolve({ version: "test-1", nodes }), settled: () => Promise.resolve() },
  });
});
afterAll(() => api[Symbol.asyncDispose]());

const ask = async (query: string, more: object = {}) => (await api.call("POST", "/api/graphql", { body: { query, ...more } })).json();
const everything =
  'query { nodes(pagination: {limit: 9999}, sort: ["popularity:desc", "displayName:asc"]) { data { id attributes { name displayName popularity iconData categories } } } }';

test("the catalogue returns up to 9999 nodes and their attributes, signed in or not", async () => {
  const { data, errors } = await ask(everything);
  expect(errors).toBeUndefined();
  expect(data.nodes.data).toEqual([
    { id: "n.code", attributes: { name: "n.code", displayName: "Code", popularity: 1, iconData: null, categories: ["Core Nodes"] } },
    {
      id: "n.slack",
      attributes: {
        name: "n.slack",
        displayName: "Slack",
        popularity: 0.8,
        iconData: { type: "file", fileBuffer: `data:image/svg+xml;base64,${nodes[1]!.icon!.base64}` },
        categories: ["Communication"],
      },
    },
  ]);
});

test("if icons should not be embedded, it says for each node whether it has one, in an answer that stays small", async () => {
  const { data, errors } = await ask(everything.replace("iconData", "iconData(embed: false)"));
  expect(errors).toBeUndefined();
  expect(data.nodes.data.map(({ id, attributes }: { id: string; attributes: { iconData: unknown } }) => [id, attributes.iconData])).toEqual(
    [
      ["n.code", null],
      ["n.slack", { type: "image/svg+xml" }],
    ],
  );
});

test("variables, filters and pages work", async () => {
  const query =
    "query Some($names: [String!]!, $limit: Int) { nodes(filters: {name: {in: $names}}, pagination: {limit: $limit}) { data { id } meta { version pagination { total } } } }";
  const { data } = await ask(query, { variables: { names: ["n.slack", "n.unknown"], limit: 5 }, operationName: "Some" });
  expect(data.nodes).toEqual({ data: [{ id: "n.slack" }], meta: { version: "test-1", pagination: { total: 1 } } });
  expect((await ask("{ nodes(pagination: {start: 1, limit: 1}) { data { id } } }")).data.nodes.data).toEqual([{ id: "n.slack" }]);
});

const fragments = (count: number) =>
  Array.from({ length: count }, (_, index) => `fragment f${index} on NodePage { ...f${index + 1} ...f${index + 1} }`).join("\n");

const refused: [what: string, query: string, words: RegExp][] = [
  ["no GraphQL", "SELECT * FROM nodes", /Syntax Error/],
  ["a field that does not exist", "{ nodes { secrets } }", /Cannot query field/],
  ["a limit beyond 9999", "{ nodes(pagination: {limit: 10000}) { data { id } } }", /from 0 to 9999/],
  ["a negative start", "{ nodes(pagination: {start: -1}) { data { id } } }", /must not be negative/],
  ["another order", '{ nodes(sort: ["displayName:desc"]) { data { id } } }', /come sorted by/],
  ["many lists at once", `{ ${["a", "b", "c"].map((alias) => `${alias}: nodes { data { id } }`).join(" ")} }`, /asks for too much/],
  [
    "many lists behind a fragment",
    "{ ...all } fragment all on Query { a: nodes { data { id } } b: nodes { data { id } } c: nodes { data { id } } }",
    /asks for too much/,
  ],
  ["too many fields", `{ nodes { data { ${Array.from({ length: 60 }, (_, index) => `a${index}: id`).join(" ")} } } }`, /asks for too much/],
  ["fragments that multiply", `{ nodes { ...f0 } } ${fragments(40)} fragment f40 on NodePage { data { id } }`, /asks for too much/],
  ["a fragment of itself", "{ nodes { ...f } } fragment f on NodePage { ...f }", /asks for too much/],
  ["a change", "mutation { nodes { data { id } } }", /not configured|Schema/],
];

test.each(refused)("%s is refused in GraphQL's own form", async (_what, query, words) => {
  const answer = await api.call("POST", "/api/graphql", { body: { query } });
  expect(answer.statusCode).toBe(200);
  expect(answer.json().errors[0].message).toMatch(words);
  expect(answer.json().data ?? null).toBeNull();
});

test.each([
  [{}],
  [{ query: "" }],
  [{ query: 1 }],
  [{ query: `{ nodes { data { ${"id ".repeat(2000)} } } }` }],
  [{ query: "{__typename}", variables: "x" }],
])("%j is no question", async (body) => {
  expect((await api.call("POST", "/api/graphql", { body })).statusCode).toBe(422);
});

test("the schema can be queried in development, but not in production", async () => {
  const { getIntrospectionQuery } = await import("graphql");
  expect((await ask(getIntrospectionQuery())).data.__schema.queryType.name).toBe("Query");
  await using production = await createTestApi({ introspection: false });
  const closed = (await production.call("POST", "/api/graphql", { body: { query: "{ __schema { queryType { name } } }" } })).json();
  expect(closed.errors[0].message).toMatch(/introspection/i);
  expect(
    (await production.call("POST", "/api/graphql", { body: { query: "{ nodes(pagination: {limit: 1}) { data { id } } }" } })).json().data
      .nodes.data,
  ).toHaveLength(1);
});

test("an icon is served as an image, cacheable forever, and can do nothing when opened as a page", async () => {
  const icon = await api.call("GET", "/api/node-catalogue/icon?name=n.slack&version=test-1");
  expect(icon.statusCode).toBe(200);
  expect(icon.headers).toMatchObject({
    "content-type": "image/svg+xml",
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": expect.stringContaining("sandbox"),
    "x-content-type-options": "nosniff",
  });
  expect(icon.body).toBe(svg);
});

test.each(["n.code", "n.unknown"])("%s has no icon: 404", async (name) => {
  const answer = await api.call("GET", `/api/node-catalogue/icon?name=${name}`);
  expect(answer.json()).toMatchObject({ status: 404, code: "not_found" });
});

test("an icon's name is a node's name", async () => {
  expect((await api.call("GET", `/api/node-catalogue/icon?name=${encodeURIComponent("../../x y")}`)).statusCode).toBe(422);
});

test("before an engine is installed the snapshot answers: five hundred nodes, the most popular first, no icons", async () => {
  await using fresh = await createTestApi();
  const { data } = (await fresh.call("POST", "/api/graphql", { body: { query: everything } })).json();
  const rows = data.nodes.data.map((row: { attributes: CatalogueNode & { iconData: unknown } }) => row.attributes);
  expect(rows.length).toBeGreaterThan(450);
  expect(rows.every((row: { iconData: unknown }) => row.iconData === null)).toBe(true);
  const popularity = rows.map((row: CatalogueNode) => row.popularity);
  expect(popularity).toEqual(popularity.toSorted((one: number, other: number) => other - one));
});
