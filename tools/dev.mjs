/**
 * `npm run dev`: server and panel together, each following its sources. The panel reloads as you save; the program restarts, while
 * workspaces keep running. Options are Node's own, such as --inspect.
 */
import { join } from "node:path";
import { root } from "./root.mjs";
import { runChild } from "./process/run-child.mjs";
import { servePanel } from "./serve-panel.mjs";
import { serverEnvironment, serverFlags } from "./process/server-flags.mjs";
import { setUp } from "./set-up/set-up.mjs";
import { runMain, Trouble } from "./process/trouble.mjs";

await runMain(async () => {
  const { node, env } = await setUp({ development: true });
  const port = Number(process.env.PORT || 3000);
  const programPort = port + 1;
  const publicUrl = process.env.PUBLIC_URL || `http://localhost:${port}`;
  const panel = await servePanel({ publicUrl, port, programPort }).catch((error) => {
    if (!/already in use/.test(error.message)) throw error;
    throw new Trouble(`Port ${port} is taken by another program. Stop it, or choose another port: PORT=3100 npm run dev`);
  });
  try {
    const program = [...serverFlags, "--watch", "--watch-preserve-output", ...process.argv.slice(2), join(root, "apps", "main.ts")];
    return await runChild(node, program, {
      cwd: root,
      // Each change of a file would begin another one.
      env: { ...serverEnvironment, LOG_LEVEL: "warn", WORKSPACE_POOL: "0", ...env, PORT: String(programPort), PUBLIC_URL: publicUrl },
    });
  } finally {
    await panel.close();
  }
});
