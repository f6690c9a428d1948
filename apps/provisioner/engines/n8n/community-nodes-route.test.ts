/** What a workspace reports about its community nodes, from files written by n8n and by the start. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createCommunityNodesHandler } from "./workspace-side/community-nodes/community-nodes-route.mts";
import { finishBoot } from "./workspace-side/community-nodes/finished-boot.mts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "slipway-nodes-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, ".slipway"));
  await mkdir(join(folder, ".n8n", "nodes"), { recursive: true });
  vi.stubEnv("N8N_COMMUNITY_PACKAGES_ENABLED", "true");
});
afterEach(() => vi.unstubAllEnvs());

const manifest = (dependencies: unknown): string => JSON.stringify({ name: "installed-nodes", dependencies });
const install = (text: string) => writeFile(join(folder, ".n8n", "nodes", "package.json"), text);
const boots = (text: object) => writeFile(join(folder, ".slipway", "boots.json"), JSON.stringify(text));

/** The answer to the control plane. */
function answer(): unknown {
  const json = vi.fn<(body: unknown) => void>();
  createCommunityNodesHandler(folder)({} as never, { json } as never, () => undefined);
  return json.mock.calls[0]![0];
}

test("installed nodes are listed by name; a node that this start left out is held back until another version is installed", async () => {
  const before = manifest({ "n8n-nodes-greeting": "1.0.0", "@acme/n8n-nodes-other": "2.1.0" });
  await install(before);
  await boots({ unfinished: 2 });
  expect(finishBoot(folder)).toEqual([]);
  expect(answer()).toEqual({
    isOffered: true,
    nodes: [
      { name: "@acme/n8n-nodes-other", version: "2.1.0", isHeldBack: false },
      { name: "n8n-nodes-greeting", version: "1.0.0", isHeldBack: false },
    ],
  });

  await boots({ unfinished: 3, heldBack: before });
  vi.stubEnv("SLIPWAY_NODES_HELD_BACK", "now");
  expect(finishBoot(folder)).toEqual(["@acme/n8n-nodes-other 2.1.0", "n8n-nodes-greeting 1.0.0"]);
  await install(manifest({ "n8n-nodes-greeting": "1.0.1", "@acme/n8n-nodes-other": "2.1.0" }));
  expect(answer()).toEqual({
    isOffered: true,
    nodes: [
      { name: "@acme/n8n-nodes-other", version: "2.1.0", isHeldBack: true },
      { name: "n8n-nodes-greeting", version: "1.0.1", isHeldBack: false },
    ],
  });
});

test("a missing file, a damaged one, and a workspace without community nodes give an empty list", async () => {
  await boots({ unfinished: 0 });
  expect(answer()).toEqual({ isOffered: true, nodes: [] });
  for (const text of ["{", "null", manifest(null)]) {
    await install(text);
    expect(answer()).toEqual({ isOffered: true, nodes: [] });
  }
  await install(manifest({ "n8n-nodes-greeting": "1.0.0" }));
  vi.stubEnv("N8N_COMMUNITY_PACKAGES_ENABLED", "false");
  expect(answer()).toEqual({ isOffered: false, nodes: [] });
});
