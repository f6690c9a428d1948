/**
 * Inspects a copy of a Node-RED's flows in a separate process: `node inspect-flows.ts <folder>` prints what is in it, or exits with an
 * error. It imports nothing from this repository, because it is copied beside the files it inspects.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2] ?? ".";

function readList(name: string): { type?: unknown; credentials?: unknown }[] {
  const file = join(folder, name);
  if (!existsSync(file)) return [];
  const list: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!Array.isArray(list)) throw new Error(`${name} is no list of nodes`);
  return list as { type?: unknown }[];
}

/** Encrypted as one text: it shows whether there are any, not how many. */
function countCredentials(): number {
  const file = join(folder, "flows_cred.json");
  if (!existsSync(file)) return 0;
  const content = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  return "$" in content ? 1 : Object.keys(content).length;
}

const workflows = readList("flows.json").filter(({ type }) => type === "tab").length;
console.log(JSON.stringify({ workflows, credentials: countCredentials(), executions: 0 }));
