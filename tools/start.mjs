/** `npm start`: from a fresh clone to a running service. */
import { join } from "node:path";
import { buildWeb } from "./set-up/build-web.mjs";
import { root } from "./root.mjs";
import { runChild } from "./process/run-child.mjs";
import { serverEnvironment, serverFlags } from "./process/server-flags.mjs";
import { setUp } from "./set-up/set-up.mjs";
import { runMain } from "./process/trouble.mjs";

await runMain(async () => {
  const { node, env } = await setUp({ development: false });
  await buildWeb(node);
  // At a terminal only warnings and errors are shown; a supervisor's journal gets everything.
  const quiet = process.stdout.isTTY ? { LOG_LEVEL: process.env.LOG_LEVEL ?? "warn" } : {};
  return runChild(node, [...serverFlags, join(root, "apps", "main.ts"), ...process.argv.slice(2)], {
    cwd: root,
    env: { ...serverEnvironment, ...env, ...quiet },
  });
});
