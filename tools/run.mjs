/** `node tools/run.mjs script.ts …args`: runs a script of this repository on Node 24, after the set-up. */
import { resolve } from "node:path";
import { root } from "./root.mjs";
import { runChild } from "./process/run-child.mjs";
import { setUp } from "./set-up/set-up.mjs";
import { runMain, Trouble } from "./process/trouble.mjs";

await runMain(async () => {
  const [script, ...args] = process.argv.slice(2);
  if (!script) throw new Trouble("Name a script to run.");
  const { node, env } = await setUp({ development: true });
  return runChild(node, [resolve(root, script), ...args], { cwd: root, env });
});
