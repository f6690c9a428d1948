/**
 * What a backup of a Node-RED contains. It writes each file completely and then moves it into place, so the files of a running one can be
 * read directly.
 */
import { readFileSync } from "node:fs";
import type { EngineBackups } from "../port/engine-copies.ts";

/** Its runtime settings contain a key for credentials only if none is given; the control plane stores ours. */
export const nodeRedBackups: EngineBackups = {
  contents: ["flows.json", "flows_cred.json", "context", "lib", ".config.users.json", ".config.runtime.json", ".config.nodes.json"],
  remade: [".config.nodes.json"],
  freeze: () => Promise.resolve(new Map()),
  thaw: () => Promise.resolve(),
  inspected: ["flows.json", "flows_cred.json"],
  inspector: readFileSync(new URL("inspect-flows.ts", import.meta.url), "utf8"),
};
