/** What of a Node-RED is backed up. It writes each file whole and moves it into place, so the files of a running one can be read as they are. */
import { readFileSync } from "node:fs";
import type { EngineBackups } from "../engine.ts";

/** Its settings of the runtime hold a key for credentials only where none is given; ours is kept by the control plane. */
export const nodeRedBackups: EngineBackups = {
  contents: ["flows.json", "flows_cred.json", "context", "lib", ".config.users.json", ".config.runtime.json", ".config.nodes.json"],
  remade: [".config.nodes.json"],
  freeze: () => Promise.resolve(new Map()),
  thaw: () => Promise.resolve(),
  inspected: ["flows.json", "flows_cred.json"],
  inspector: readFileSync(new URL("inspect-flows.ts", import.meta.url), "utf8"),
};
