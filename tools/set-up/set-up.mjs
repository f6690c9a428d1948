/** Prepares for every command: packages according to the lock, a Node 24, and a cache for compiled code. */
import "../process/refuse-old-node.cjs";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { installHostPackages } from "./host-packages.mjs";
import { installPackages } from "./install-packages.mjs";
import { findNode24 } from "./node24.mjs";
import { root } from "../root.mjs";

/** Prepares the clone; returns the Node to use and the environment to use it with. Refuses with Trouble. */
export async function setUp({ development }) {
  await installPackages({ development });
  await installHostPackages();
  return { node: findNode24(), env: { ...process.env, ...compileCache() } };
}

/** Compiled code is cached between starts: 0.3 s instead of 1.3 s. Without the cache, commands still start. */
function compileCache() {
  const folder = join(root, "node_modules", ".cache", "node-compile");
  try {
    mkdirSync(folder, { recursive: true });
    return { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? folder };
  } catch {
    return {};
  }
}
