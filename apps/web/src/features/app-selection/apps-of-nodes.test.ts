import { expect, test } from "vitest";
import type { CatalogueEntry } from "#contract/workspaces/node-catalogue.ts";
import snapshot from "#domain/node-catalogue/n8n-snapshot.json" with { type: "json" };
import { appNames, appsOf } from "./apps-of-nodes.ts";
import { orderApps } from "./order-apps.ts";

const node = (name: string, displayName: string, ...categories: string[]): CatalogueEntry => ({
  id: name,
  name,
  displayName,
  popularity: 0.5,
  iconData: null,
  categories,
});
const base = (name: string, displayName: string, ...categories: string[]) => node(`n8n-nodes-base.${name}`, displayName, ...categories);
const chain = (name: string, displayName: string) => node(`@n8n/n8n-nodes-langchain.${name}`, displayName, "AI");
/** The apps of nodes that are all of one engine. */
const appsIn = (nodes: readonly CatalogueEntry[]) => appsOf(nodes[0]!.name.startsWith("node-red.") ? "node-red" : "n8n", nodes);
const found = (...nodes: CatalogueEntry[]) => appsIn(nodes).map(({ displayName, nodes: names }) => [displayName, names.length]);

test("the action, the trigger and the vector store of one app are one app, named and saved by its action", () => {
  const nodes = [
    { ...base("stripeTrigger", "Stripe Trigger", "Sales"), popularity: 0.9 },
    base("github", "GitHub", "Development"),
    base("stripe", "Stripe", "Finance & Accounting"),
    base("githubTrigger", "Github Trigger", "Development"),
    chain("vectorStoreSupabase", "Supabase Vector Store"),
    base("supabase", "Supabase"),
    base("whatsApp", "WhatsApp Business Cloud"),
    base("whatsAppTrigger", "WhatsApp Trigger"),
  ];
  expect(found(...nodes)).toEqual([
    ["Stripe", 2],
    ["GitHub", 2],
    ["Supabase", 2],
    ["WhatsApp Business Cloud", 2],
  ]);
  expect(appsIn(nodes)[0]).toMatchObject({
    name: "n8n-nodes-base.stripe",
    popularity: 0.9,
    categories: ["Sales", "Finance & Accounting"],
  });
});

test("an app says whether it starts workflows, takes part in them, or both", () => {
  const doing = (...nodes: CatalogueEntry[]) => appsIn(nodes).map(({ does }) => does);
  expect(doing(base("slack", "Slack"), base("slackTrigger", "Slack Trigger"))).toEqual(["both"]);
  expect(doing(base("notion", "Notion"), base("typeformTrigger", "Typeform Trigger"))).toEqual(["acts", "starts"]);
  expect(doing(base("webhook", "Webhook", "Core Nodes"), base("emailReadImap", "Email Trigger (IMAP)", "Core Nodes"))).toEqual([
    "starts",
    "starts",
  ]);
  expect(doing(node("node-red.mqtt-in", "MQTT in", "Network"), node("node-red.mqtt-out", "MQTT out", "Network"))).toEqual(["both"]);
});

test("an app that has only a trigger, or only a vector store, is named without it", () => {
  expect(found(base("typeformTrigger", "Typeform Trigger"), chain("vectorStorePinecone", "Pinecone Vector Store"))).toEqual([
    ["Typeform", 1],
    ["Pinecone", 1],
  ]);
  expect(found(base("figmaTrigger", "Figma Trigger (Beta)"))).toEqual([["Figma", 1]]);
});

test.each([
  [base("if", "If", "Core Nodes"), false],
  [base("merge", "Merge", "Core Nodes"), false],
  [base("a-core-node-of-tomorrow", "New", "Core Nodes"), false],
  [base("stickyNote", "Sticky Note"), false],
  [base("evaluationTrigger", "Evaluation Trigger"), false],
  [chain("memoryBufferWindow", "Simple Memory"), false],
  [chain("toolCalculator", "Calculator"), false],
  [chain("agent", "AI Agent"), false],
  [chain("toolWikipedia", "Wikipedia"), true],
  [chain("openAi", "OpenAI"), true],
  [base("httpRequest", "HTTP Request", "Core Nodes"), true],
  [base("scheduleTrigger", "Schedule Trigger", "Core Nodes"), true],
  [base("emailSend", "Send Email", "Core Nodes", "Communication"), true],
  [base("ssh", "SSH", "Core Nodes"), true],
  [node("node-red.switch", "Switch", "Function"), false],
  [node("node-red.mqtt-in", "MQTT in", "Network"), true],
])("%o is an app: %s", (entry, expected) => {
  expect(appsIn([entry])).toHaveLength(expected ? 1 : 0);
});

test("the engine's own tools that are always offered keep their whole name", () => {
  expect(found(base("scheduleTrigger", "Schedule Trigger", "Core Nodes"))).toEqual([["Schedule Trigger", 1]]);
});

test("Node-RED's input and output nodes for one protocol are one app", () => {
  expect(found(node("node-red.mqtt-in", "MQTT in", "Network"), node("node-red.mqtt-out", "MQTT out", "Network"))).toEqual([["MQTT", 2]]);
});

test("a choice saved by the name of a trigger is its app, and nothing saved is lost", () => {
  const apps = appsIn([base("slack", "Slack"), base("slackTrigger", "Slack Trigger"), base("notion", "Notion")]);
  expect(appNames(apps, ["n8n-nodes-base.slackTrigger", "n8n-nodes-base.if", "n8n-nodes-base.slack", "n8n-nodes-base.notion"])).toEqual([
    "n8n-nodes-base.slack",
    "n8n-nodes-base.if",
    "n8n-nodes-base.notion",
  ]);
});

test("n8n's five hundred nodes become more than three hundred apps, none of them twice", () => {
  const rows = snapshot.nodes as [name: string, displayName: string, popularity: number, categories: number[]][];
  const nodes = rows.map(([name, displayName, , categories]) =>
    node(name, displayName, ...categories.map((at) => snapshot.categories[at]!)),
  );
  const apps = orderApps(appsIn(nodes), (name) => name);
  const names = apps.map(({ displayName }) => displayName);
  expect(names.length).toBeGreaterThan(300);
  expect(names.length).toBeLessThan(360);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  expect(names.filter((name) => / Trigger$|Vector Store$|Memory$|Parser$|Model$/.test(name))).toEqual(["Schedule Trigger"]);
});
