import { expect, test } from "vitest";
import { templatePath } from "./template-path.ts";

test.each([
  ["12", "2.40.7", "/templates/12/setup"],
  ["12", "2.0.0", "/templates/12/setup"],
  ["12", "1.24", "/templates/12/setup"],
  ["12", "1.24.0", "/templates/12/setup"],
  ["12", "1.25.0-beta.1", "/templates/12/setup"],
  ["12", "1.3.0", "/workflows/templates/12"],
  ["12", "1.123.81", "/templates/12/setup"],
  ["12", "1.23.9", "/workflows/templates/12"],
  ["12", "0.236.0", "/workflows/templates/12"],
])("template %s on version %s is at %s", (id, version, path) =>
  expect(templatePath(id, { engine: "n8n", versionName: version })).toBe(path),
);

test.each([null, "", "../admin", "a/b", "1?x=1", "x".repeat(65)])("%j is no template", (id) =>
  expect(templatePath(id, { engine: "n8n", versionName: "2.40.7" })).toBeNull(),
);

test("without a workspace, or with an engine without templates, there is no page", () => {
  for (const instance of [undefined, null, { engine: "node-red", versionName: "5.0.1" } as const])
    expect(templatePath("12", instance)).toBeNull();
});
