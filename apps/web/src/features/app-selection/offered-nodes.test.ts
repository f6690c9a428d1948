/** What a visitor is offered from each engine's whole catalogue, through the three steps of the page: group, order, search. */
import { expect, test } from "vitest";
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import type { CatalogueEntry } from "#contract/workspaces/node-catalogue.ts";
import { readSnapshot } from "#domain/node-catalogue/snapshot.ts";
import { appsOf } from "./apps-of-nodes.ts";
import { orderApps } from "./order-apps.ts";
import { makeSearchable, searchApps } from "./search-apps.ts";

const catalogue = (engine: EngineName): CatalogueEntry[] =>
  readSnapshot(engine).nodes.map(({ name, displayName, popularity, categories }) => ({
    id: name,
    name,
    displayName,
    popularity,
    iconData: null,
    categories: [...categories],
  }));
const offer = (engine: EngineName) => orderApps(appsOf(engine, catalogue(engine)), (name) => `${name} (n8n)`);

/** Those that the product leaves out, each by its name: a pattern of its own, so that the product's cannot widen unseen. */
const leftOut = [
  "n8n-nodes-base.debugHelper",
  "n8n-nodes-base.facebookGraphApi",
  "n8n-nodes-base.n8nTrainingCustomerDatastore",
  "n8n-nodes-base.n8nTrainingCustomerMessenger",
  "n8n-nodes-base.theHive",
  "n8n-nodes-base.theHiveTrigger",
];
const isLeftOut = ({ name, displayName }: CatalogueEntry): boolean =>
  leftOut.includes(name) || (name.startsWith("@n8n/n8n-nodes-langchain.lm") && displayName.endsWith("Model"));

test("each of n8n's five hundred nodes is found by its name and chosen, except the few that are left out", () => {
  const nodes = catalogue("n8n");
  const apps = makeSearchable(offer("n8n"));
  expect(nodes.length).toBeGreaterThan(500);
  expect(nodes.filter(isLeftOut).length).toBeLessThan(35);
  const chosenBy = (node: CatalogueEntry) => searchApps(apps, node.displayName).filter((app) => app.nodes.includes(node.name));
  expect(nodes.filter((node) => chosenBy(node).length !== 1).map(({ name }) => name)).toEqual(
    nodes.filter(isLeftOut).map(({ name }) => name),
  );
  for (const name of ["If", "Edit Fields (Set)", "Merge", "Switch", "Filter", "AI Agent"]) {
    expect(searchApps(apps, name)[0]!.displayName, name).toMatch(name);
  }
});

test("n8n's list begins with 12 apps, goes on with the four core nodes, and ends with the rest by popularity", () => {
  const apps = offer("n8n");
  const isCoreNode = ({ displayName }: { displayName: string }) => displayName.endsWith(" (n8n)");
  expect(apps.slice(0, 12).filter(isCoreNode)).toEqual([]);
  expect(apps.slice(0, 12).map(({ displayName }) => displayName)).toContain("Send Email");
  expect(apps.slice(12, 16).map(({ displayName }) => displayName)).toEqual([
    "HTTP Request (n8n)",
    "Webhook (n8n)",
    "Code (n8n)",
    "Schedule Trigger (n8n)",
  ]);
  const rest = apps.slice(16).map(({ popularity }) => popularity);
  expect(rest).toEqual(rest.toSorted((one, other) => other - one));
  expect(apps.slice(16).map(({ displayName }) => displayName)).toContain("If (n8n)");
});

test("no two entries of n8n's list have the same name", () => {
  const names = offer("n8n").map(({ displayName }) => displayName.toLowerCase());
  expect(new Set(names).size).toBe(names.length);
});

test("each of Node-RED's nodes is found by its name and chosen", () => {
  const apps = makeSearchable(offer("node-red"));
  const nodes = catalogue("node-red");
  expect(nodes.length).toBeGreaterThan(40);
  for (const node of nodes) {
    expect(
      searchApps(apps, node.displayName).filter((app) => app.nodes.includes(node.name)),
      node.name,
    ).toHaveLength(1);
  }
});
