import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readN8nCatalogue } from "./read-n8n-catalogue.ts";

const svg = "<svg/>";
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "slipway-n8n-nodes-"));
  const base = [
    {
      name: "slack",
      displayName: "Slack",
      version: [1, 2],
      iconUrl: "icons/n8n-nodes-base/dist/slack.svg",
      codex: { categories: ["Communication", "Communication "] },
    },
    { name: "slack", displayName: "Slack (old)", version: 1 },
    { name: "hidden", displayName: "Hidden", version: 1, hidden: true },
    { name: "thief", displayName: "Thief", version: 1, iconUrl: "icons/n8n-nodes-base/../../../secret.svg" },
    { name: "code", displayName: "Code", version: 1, icon: "node:code" },
  ];
  await put("node_modules/n8n-nodes-base/dist/types/nodes.json", JSON.stringify(base));
  await put("node_modules/n8n-nodes-base/dist/slack.svg", svg);
  await put("secret.svg", "<svg>secret</svg>");
  await put(
    "node_modules/@n8n/n8n-nodes-langchain/dist/types/nodes.json",
    JSON.stringify([
      {
        name: "agent",
        displayName: "AI Agent",
        version: [3],
        iconUrl: { light: "icons/@n8n/n8n-nodes-langchain/dist/agent.png", dark: "x" },
      },
    ]),
  );
  await put("node_modules/@n8n/n8n-nodes-langchain/dist/agent.png", "png");
  await put(
    "node_modules/n8n-editor-ui/data/node-popularity.json",
    JSON.stringify([
      { id: "n8n-nodes-base.slack", popularity: 0.7 },
      { id: "n8n-nodes-base.code", popularity: 7 },
    ]),
  );
});
afterAll(() => rm(folder, { recursive: true }));

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

test("the newest version of each visible node is listed, with categories, popularity and icon", async () => {
  const nodes = await readN8nCatalogue(folder);
  expect(nodes.map(({ name }) => name)).toEqual([
    "n8n-nodes-base.slack",
    "n8n-nodes-base.thief",
    "n8n-nodes-base.code",
    "@n8n/n8n-nodes-langchain.agent",
  ]);
  expect(nodes[0]).toEqual({
    name: "n8n-nodes-base.slack",
    displayName: "Slack",
    popularity: 0.7,
    categories: ["Communication"],
    icon: { mime: "image/svg+xml", base64: Buffer.from(svg).toString("base64") },
  });
  expect(nodes[2]).toMatchObject({ popularity: 1, icon: null });
  expect(nodes[3]).toMatchObject({ popularity: 0, icon: { mime: "image/png" } });
});

test("an icon from outside the node's package is ignored", async () => {
  expect((await readN8nCatalogue(folder))[1]!.icon).toBeNull();
});

test("a folder without n8n fails instead of giving an empty catalogue", async () => {
  await expect(readN8nCatalogue(join(folder, "nothing"))).rejects.toThrow(/ENOENT/);
});
