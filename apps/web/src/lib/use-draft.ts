/**
 * What somebody has typed so far, kept in this tab until it is sent: leaving a page by mistake loses nothing, nor does
 * a session that ends while somebody types. Passwords are never kept.
 */
import { useState } from "react";
import { onSessionEnd } from "./session.ts";
import { sessionValues } from "./stored-value.ts";

const prefix = "slipway.draft.";
const drafts = new Set<string>();
// A draft belongs to whoever typed it: its key names them, and signing out removes it.
onSessionEnd((how) => how === "signed-out" && drafts.forEach((key) => sessionValues.remove(prefix + key)));

/** The draft, or `initial` where there is none; `forget` once it was sent. `key` names the form, and the person. */
export function useDraft<Value>(key: string, initial: Value): [value: Value, change: (value: Value) => void, forget: () => void] {
  const [value, setValue] = useState<Value>(() => readDraft<Value>(key) ?? initial);
  drafts.add(key);
  const change = (next: Value) => {
    setValue(next);
    sessionValues.write(prefix + key, JSON.stringify(next));
  };
  return [value, change, () => sessionValues.remove(prefix + key)];
}

function readDraft<Value>(key: string): Value | null {
  try {
    return JSON.parse(sessionValues.read(prefix + key) ?? "null") as Value | null;
  } catch {
    return null;
  }
}
