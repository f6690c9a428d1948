import { expect, test } from "vitest";
import type { CatalogueEntry } from "#contract/workspaces/node-catalogue.ts";
import { appNames, appsOf } from "./apps-of-nodes.ts";

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

test("a part of a workflow or of an agent is offered as such, under its whole name", () => {
  const offered = (node: CatalogueEntry) => appsIn([node]).map(({ displayName, does }) => [displayName, does]);
  expect(offered(base("if", "If", "Core Nodes"))).toEqual([["If", "part"]]);
  expect(offered(base("a-core-node-of-tomorrow", "New", "Core Nodes"))).toEqual([["New", "part"]]);
  expect(offered(base("errorTrigger", "Error Trigger", "Core Nodes"))).toEqual([["Error Trigger", "starts"]]);
  expect(offered(chain("toolCode", "Code Tool"))).toEqual([["Code Tool", "part"]]);
  expect(offered(chain("toolWikipedia", "Wikipedia"))).toEqual([["Wikipedia", "acts"]]);
  expect(offered(base("ssh", "SSH", "Core Nodes"))).toEqual([["SSH", "acts"]]);
  expect(offered(node("node-red.switch", "Switch", "Function"))).toEqual([["Switch", "part"]]);
});

test("a tool of the engine is merged with its own trigger and with nothing that is only called alike", () => {
  expect(found(base("evaluation", "Evaluation"), base("evaluationTrigger", "Evaluation Trigger"))).toEqual([["Evaluation", 2]]);
  expect(found(base("code", "Code", "Core Nodes"), chain("toolCode", "Code Tool"))).toEqual([
    ["Code", 1],
    ["Code Tool", 1],
  ]);
  expect(found(chain("agent", "AI Agent"), chain("agentTool", "AI Agent Tool"))).toHaveLength(2);
});

test("where the engine does not say what is popular, apps come before parts of a flow", () => {
  expect(found(node("node-red.batch", "Batch", "Sequence"), node("node-red.mqtt-in", "MQTT in", "Network"))).toEqual([
    ["MQTT", 1],
    ["Batch", 1],
  ]);
});

test("the engine's own tools that are always offered keep their whole name", () => {
  expect(found(base("scheduleTrigger", "Schedule Trigger", "Core Nodes"))).toEqual([["Schedule Trigger", 1]]);
});

test("Node-RED's input and output nodes for one protocol are one app", () => {
  expect(found(node("node-red.mqtt-in", "MQTT in", "Network"), node("node-red.mqtt-out", "MQTT out", "Network"))).toEqual([["MQTT", 2]]);
});

test("a choice saved by the name of a trigger is its app, and nothing saved is lost", () => {
  const apps = appsIn([base("slack", "Slack"), base("slackTrigger", "Slack Trigger"), base("notion", "Notion")]);
  expect(appNames(apps, ["n8n-nodes-base.slackTrigger", "n8n-nodes-base.gone", "n8n-nodes-base.slack", "n8n-nodes-base.notion"])).toEqual([
    "n8n-nodes-base.slack",
    "n8n-nodes-base.gone",
    "n8n-nodes-base.notion",
  ]);
});
