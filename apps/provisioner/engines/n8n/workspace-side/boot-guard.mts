/**
 * Loaded before n8n's own program (--import). n8n loads community nodes during its start: one that ends the process, or prevents it from
 * becoming ready, would keep the workspace offline permanently. After two unfinished starts in a row, the nodes are left out until the
 * owner changes what is installed. hooks.mts marks a start as finished. A first start begins with the release's data template. Executions
 * that wait are kept out of n8n's recovery of crashed ones.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";
import { findPrepared } from "../../workspace-side/compile-cache.mts";
import { readBoots, writeBoots } from "./community-nodes/boots.mts";
import { readInstalled } from "./community-nodes/nodes-in.mts";
import { placeTemplate } from "./data-template.mts";
import { filesFolder } from "./files-folder.mts";
import { holdWaitingExecutions } from "./waiting-executions.mts";

const mostUnfinished = 2;
const folder = process.env["N8N_USER_FOLDER"]!;

function guard(): void {
  const before = readBoots(folder);
  const now = readInstalled(folder);
  const isStillHeldBack = before.heldBack !== undefined && before.heldBack === now;
  const isHeldBack = now !== "" && (isStillHeldBack || before.unfinished >= mostUnfinished);
  if (isHeldBack) process.env["N8N_COMMUNITY_PACKAGES_PREVENT_LOADING"] = "true";
  if (isHeldBack && !isStillHeldBack) process.env["SLIPWAY_NODES_HELD_BACK"] = "now";
  writeBoots(folder, { unfinished: before.unfinished + 1, ...(isHeldBack && { heldBack: now }) });
}

/** Without the template, n8n creates and migrates its database itself. */
function beginWithTemplate(): void {
  const prepared = findPrepared();
  try {
    if (prepared !== undefined && placeTemplate(folder, prepared)) console.log("quick start: data folder");
  } catch (error) {
    console.warn(`this start makes its data folder itself: ${(error as Error).message}`);
  }
}

/** n8n does not create it. On a full disk, only nodes that use it fail. */
function makeFilesFolder(): void {
  try {
    mkdirSync(join(folder, filesFolder), { recursive: true, mode: 0o700 });
  } catch (error) {
    console.warn(`this start has no folder for files: ${(error as Error).message}`);
  }
}

/** Otherwise executions in a wait may end as crashed. */
function protectWaits(): void {
  try {
    holdWaitingExecutions();
  } catch (error) {
    console.warn(`this start may recover waiting executions: ${(error as Error).message}`);
  }
}

// Threads and processes that n8n starts load this file as well, but are not starts of n8n.
if (isMainThread && process.env["SLIPWAY_BOOT_GUARDED"] === undefined) {
  process.env["SLIPWAY_BOOT_GUARDED"] = "yes";
  guard();
  beginWithTemplate();
  makeFilesFolder();
  protectWaits();
}
