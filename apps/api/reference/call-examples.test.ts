import { afterAll, beforeAll, expect, test } from "vitest";
import { stripTypeScriptTypes } from "node:module";
import { createTestApi, type TestApi } from "#testing/test-api.ts";
import type { ApiDocument } from "./api-document.ts";
import { callExample, exampleOf } from "./call-examples.ts";

let api: TestApi;
let document: ApiDocument;
beforeAll(async () => {
  api = await createTestApi();
  document = (await api.call("GET", "/api/openapi.json")).json();
});
afterAll(() => api[Symbol.asyncDispose]());

const examples = () =>
  Object.entries(document.paths!).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      name: `${method} ${path}`,
      operation,
      ...callExample(method, path, operation, document.components!.schemas!),
    })),
  );

test("every call has an example whose body is JSON and whose TypeScript can be parsed", () => {
  expect(examples().length).toBeGreaterThan(80);
  for (const { name, body, curl, typescript } of examples()) {
    if (body) expect(() => JSON.parse(body), name).not.toThrow();
    expect(curl, name).toMatch(/^curl .*"\$SLIPWAY\/api\//);
    expect(() => stripTypeScriptTypes(`async () => {${typescript}}`), name).not.toThrow();
  }
});

test("an example of a call that needs a session sends its token, and one that must happen once a key", () => {
  const of = (name: string) => examples().find((each) => each.name === name)!;
  expect(of("get /api/instance").curl).toContain('-H "authorization: Bearer $TOKEN"');
  expect(of("get /api/instance").typescript).toContain("authorization: `Bearer ${token}`");
  expect(of("post /api/auth/login").curl).not.toContain("$TOKEN");
  expect(of("post /api/account/plan/change").curl).toContain("idempotency-key: ");
  expect(of("put /api/instance/restart").curl).toBe('curl -X PUT "$SLIPWAY/api/instance/restart" \\\n  -H "authorization: Bearer $TOKEN"');
});

test("the first call's example signs in", async () => {
  const { body } = examples().find(({ name }) => name === "post /api/auth/login")!;
  const page = (await api.call("GET", "/api/docs")).body;
  for (const field of Object.keys(JSON.parse(body))) expect(page).toContain(`&quot;${field}&quot;:&quot;`);
});

test("shapes that refer to each other have an example with an end", () => {
  const tree = { type: "object", required: ["next"], properties: { next: { $ref: "#/components/schemas/Tree" } } };
  expect(JSON.stringify(exampleOf(tree, { Tree: tree })).length).toBeLessThan(200);
});
