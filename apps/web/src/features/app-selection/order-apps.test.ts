import { expect, test } from "vitest";
import type { CatalogueEntry } from "#contract/workspaces/node-catalogue.ts";
import { isCore, orderApps } from "./order-apps.ts";

const node = (name: string, ...categories: string[]): CatalogueEntry => ({
  id: name,
  name,
  displayName: name.split(".")[1]!,
  popularity: 0,
  iconData: null,
  categories,
});
const base = (name: string, ...categories: string[]) => node(`n8n-nodes-base.${name}`, ...categories);
const app = (number: number) => base(`app${number}`, "Communication");
const apps = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => app(from + index));
const order = (nodes: CatalogueEntry[]) => orderApps(nodes, (name) => `${name} (n8n)`).map(({ displayName }) => displayName);
const names = (from: number, to: number) => apps(from, to).map(({ displayName }) => displayName);

const core = (name: string) => base(name, "Core Nodes");
const whitelisted = ["httpRequest (n8n)", "webhook (n8n)", "code (n8n)", "scheduleTrigger (n8n)"];

test("first 12 that are not core, then the whitelisted core nodes, then the rest", () => {
  const nodes = [core("code"), core("if"), core("httpRequest"), ...apps(1, 8), core("webhook"), core("scheduleTrigger"), ...apps(9, 15)];
  expect(order(nodes)).toEqual([...names(1, 12), ...whitelisted, "if (n8n)", ...names(13, 15)]);
});

test("with fewer than 12 apps the core nodes follow directly", () => {
  expect(order([core("webhook"), app(1), core("httpRequest")])).toEqual(["app1", "httpRequest (n8n)", "webhook (n8n)"]);
});

test("sending e-mail stays in the first group and keeps its name, though its category is core", () => {
  expect(order([core("code"), base("emailSend", "Communication", "HITL", "Core Nodes"), ...apps(1, 12)])).toEqual([
    "emailSend",
    ...names(1, 11),
    "code (n8n)",
    "app12",
  ]);
});

test("sending e-mail is in the first group however unpopular it is", () => {
  expect(order([...apps(1, 30), core("code"), base("emailSend", "Core Nodes"), app(31)])).toEqual([
    ...names(1, 11),
    "emailSend",
    "code (n8n)",
    ...names(12, 31),
  ]);
});

test.each([
  ["@n8n/n8n-nodes-langchain.lmChatOpenAi", false],
  ["@n8n/n8n-nodes-langchain.lmOllama", false],
  ["@n8n/n8n-nodes-langchain.agent", true],
  ["@n8n/n8n-nodes-langchain.lmsomething", true],
  ["n8n-nodes-base.n8nTrainingCustomerDatastore", false],
  ["n8n-nodes-base.n8nTrainingCustomerMessenger", false],
  ["n8n-nodes-base.debugHelper", false],
  ["n8n-nodes-base.facebookGraphApi", false],
  ["n8n-nodes-base.facebookTrigger", true],
  ["n8n-nodes-base.theHive", false],
  ["n8n-nodes-base.theHiveTrigger", false],
  ["n8n-nodes-base.theHiveProject", true],
])("%s is offered: %s", (name, isOffered) => {
  expect(orderApps([node(name)], (given) => given)).toHaveLength(isOffered ? 1 : 0);
});

test.each([
  [["Core Nodes"], true],
  [["Development", "core"], true],
  [["Development"], false],
  [[], false],
])("the categories %j are core: %s", (categories, expected) => {
  expect(isCore(base("x", ...categories))).toBe(expected);
});

test("an empty catalogue is an empty list", () => expect(order([])).toEqual([]));
