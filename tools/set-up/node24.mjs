/** The server and the tests run on Node 24, which is installed like a library; the machine's own Node only starts it. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../root.mjs";
import { Trouble } from "../process/trouble.mjs";

const wanted = 24;

/** The path of a Node 24 or later that actually runs here: the installed one, this one, or one on PATH. Refuses with Trouble. */
export function findNode24() {
  const installed = join(root, "node_modules", `node-${process.platform}-${process.arch}`, "bin", "node");
  const onPath = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "node"));
  const found = [installed, process.execPath, ...onPath].find((file) => existsSync(file) && majorOf(file) >= wanted);
  if (found) return found;
  throw new Trouble(
    `Slipway runs on Node ${wanted}, and there is no package of it for this machine (${process.platform} ${process.arch}). Install Node ${wanted} or later and try again.`,
  );
}

function majorOf(file) {
  if (file === process.execPath) return Number(process.versions.node.split(".")[0]);
  const { stdout } = spawnSync(file, ["--version"], { encoding: "utf8" });
  return Number(/^v(\d+)\./.exec(stdout ?? "")?.[1] ?? 0);
}
