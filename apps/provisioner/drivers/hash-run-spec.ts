import { createHash } from "node:crypto";
import type { RunSpec } from "./driver.ts";

/** The spec's SHA-256 in hex, independent of the order of its keys. */
export function hashRunSpec(spec: RunSpec): string {
  return createHash("sha256").update(JSON.stringify(spec, sortKeys)).digest("hex");
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
