/** Prepares for every command: packages according to the lock, a Node 24, and a cache for compiled code. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { installHostPackages } from "./host-packages.mjs";
import { installPackages } from "./install-packages.mjs";
import { findNode24 } from "./node24.mjs";
import { root } from "../root.mjs";
import { Trouble } from "../process/trouble.mjs";

/** The oldest Node on which the tools run; package.json's `engines` says the same. */
const oldest = [20, 19];

/** Prepares the clone; returns the Node to use and the environment to use it with. Refuses with Trouble. */
export async function setUp({ development }) {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
    throw new Trouble(
      `Slipway needs Node ${oldest.join(".")} or later to start; this is ${process.version}. Install a newer one and try again.`,
    );
  }
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
