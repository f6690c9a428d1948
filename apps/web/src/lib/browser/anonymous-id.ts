/** Identifies this browser but not its user, so that each experiment's variant stays the same. */
import { localValues } from "./stored-value.ts";

const key = "slipway.anonymous-id";
let known: string | undefined;

/** The id stored in this browser; without storage, one that lasts until the page is left. */
export function anonymousId(): string {
  known ??= localValues.read(key) ?? create();
  return known;
}

function create(): string {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  localValues.write(key, id);
  return id;
}
