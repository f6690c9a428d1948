import { expect, test } from "vitest";
import type { App } from "./apps-of-nodes.ts";
import { categoryName, inCategory, listCategories } from "./categories.ts";

const app = (name: string, ...categories: string[]): App => ({
  id: name,
  name,
  displayName: name,
  popularity: 0,
  iconData: null,
  categories,
  nodes: [name],
  nodeNames: [name],
  does: "acts",
});
const apps = [app("a", "Sales", "Core Nodes"), app("b", "Developer Tools", "Sales"), app("c", "HITL"), app("d", "Development", "Sales")];

test("the largest category comes first; the engine's own notes are not a category", () => {
  expect(listCategories(apps)).toEqual(["Sales", "Development"]);
});

test.each([
  ["", ["a", "b", "c", "d"]],
  ["Sales", ["a", "b", "d"]],
  ["Development", ["b", "d"]],
  ["HITL", []],
])("%j has %j", (category, expected) => {
  expect(inCategory(apps, category).map(({ name }) => name)).toEqual(expected);
});

test("a category of a later release is shown under the engine's own name", () => {
  expect(categoryName("Data & Storage")).toBe("Data and storage");
  expect(categoryName("Quantum")).toBe("Quantum");
});
