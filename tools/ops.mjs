/** `npm run ops -- command …args`: an operator's command, with the same packages as the service. */
import { join } from "node:path";
import { root } from "./root.mjs";
import { quickModules } from "./process/server-flags.mjs";
import { runChild } from "./process/run-child.mjs";
import { setUp } from "./set-up/set-up.mjs";
import { runMain } from "./process/trouble.mjs";

await runMain(async () => {
  const { node, env } = await setUp({ development: false });
  return runChild(node, [quickModules, join(root, "apps", "ops", "main.ts"), ...process.argv.slice(2)], { cwd: root, env });
});
