import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { finishBoot } from "./workspace-side/community-nodes/finished-boot.mts";

const guard = pathToFileURL(join(import.meta.dirname, "workspace-side", "boot-guard.mts")).href;
const program = `console.log(process.env.N8N_COMMUNITY_PACKAGES_PREVENT_LOADING ?? "loads")`;

function workspaceFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "slipway-boots-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const boot = (folder: string): string =>
  execFileSync(process.execPath, [`--import=${guard}`, "-e", program], {
    env: { N8N_USER_FOLDER: folder },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

function install(folder: string, packages: string): void {
  mkdirSync(join(folder, ".n8n", "nodes"), { recursive: true });
  writeFileSync(join(folder, ".n8n", "nodes", "package.json"), packages);
}

test("a workspace that cannot write its record, as on a full disk, still starts", () => {
  const folder = workspaceFolder();
  // Nothing can be written below something that is not a folder.
  writeFileSync(join(folder, ".slipway"), "");
  install(folder, JSON.stringify({ dependencies: { "n8n-nodes-greeting": "1.0.0" } }));
  expect([boot(folder), boot(folder), boot(folder)]).toEqual(["loads", "loads", "loads"]);
  expect(finishBoot(folder)).toEqual([]);
});

test("a half-written record from a full disk is ignored, and a finished start resets it", () => {
  const folder = workspaceFolder();
  mkdirSync(join(folder, ".slipway"));
  writeFileSync(join(folder, ".slipway", "boots.json"), "");
  expect(finishBoot(folder)).toEqual([]);
  install(folder, JSON.stringify({ dependencies: { "n8n-nodes-greeting": "1.0.0" } }));
  expect([boot(folder), boot(folder), boot(folder)]).toEqual(["loads", "loads", "true"]);
});

test("nodes with a truncated list are left out, and the workspace still becomes ready", () => {
  const folder = workspaceFolder();
  install(folder, `{ "dependencies": {`);
  expect([boot(folder), boot(folder), boot(folder)]).toEqual(["loads", "loads", "true"]);
  vi.stubEnv("SLIPWAY_NODES_HELD_BACK", "now");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(finishBoot(folder)).toEqual(["an unreadable list"]);
});
