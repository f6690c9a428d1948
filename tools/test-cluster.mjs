/**
 * `npm run test:cluster`: from sign-up to n8n's editor on a Kubernetes cluster, with n8n itself in a pod. Fails if no cluster can be
 * started.
 */
import { join } from "node:path";
import { root } from "./root.mjs";
import { runChild } from "./process/run-child.mjs";
import { setUp } from "./set-up/set-up.mjs";
import { runMain } from "./process/trouble.mjs";

await runMain(async () => {
  const { node, env } = await setUp({ development: true });
  const config = join(root, "vitest.cluster.config.ts");
  return runChild(node, [join(root, "node_modules", "vitest", "vitest.mjs"), "run", "--config", config], { cwd: root, env });
});
