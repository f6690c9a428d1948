/**
 * Input that was not sent yet, stored in this tab until it is sent: it survives leaving a page by mistake and a session that ends while
 * typing. Passwords are never stored.
 */
import { useCallback, useEffect, useRef, useState } from "react";
import { knownUser, onSessionEnd } from "./session/session.ts";
import { sessionValues } from "./browser/stored-value.ts";

const prefix = "slipway.draft.";
const drafts = new Set<string>();
// A draft belongs to the user who typed it: its key contains their id, and signing out removes it.
onSessionEnd((how) => how === "signed-out" && drafts.forEach((key) => sessionValues.remove(prefix + key)));

/** A function of the previous value, or a new value. */
export type DraftChange<Value> = Value | ((before: Value) => Value);

/**
 * The draft, or `initial` if there is none; call `forget` once it was sent. `key` names the form and the user. `change` and `forget` keep
 * their identity; a change given as a function always gets the newest value, even if two directly follow each other.
 */
export function useDraft<Value extends object | string>(
  key: string,
  initial: Value,
): [value: Value, change: (change: DraftChange<Value>) => void, forget: () => void] {
  const [value, setValue] = useState<Value>(() => readDraft<Value>(key) ?? initial);
  const newest = useRef(value);
  drafts.add(key);
  const change = useCallback(
    (to: DraftChange<Value>) => {
      newest.current = typeof to === "function" ? to(newest.current) : to;
      setValue(newest.current);
      sessionValues.write(prefix + key, JSON.stringify(newest.current));
    },
    [key],
  );
  const forget = useCallback(() => sessionValues.remove(prefix + key), [key]);
  return [value, change, forget];
}

/** Whether something was typed into that form and not sent. */
export const isDrafted = (key: string): boolean => readDraft(key) !== null;

/** A draft that survives only the end of a session: a user who leaves the page in another way finds the saved values on return. */
export function useDraftOverSessions<Value extends object | string>(key: string, initial: Value): ReturnType<typeof useDraft<Value>> {
  const draft = useDraft(key, initial);
  const forget = draft[2];
  useEffect(
    () => () => {
      if (knownUser()) forget();
    },
    [forget],
  );
  return draft;
}

function readDraft<Value>(key: string): Value | null {
  try {
    return JSON.parse(sessionValues.read(prefix + key) ?? "null") as Value | null;
  } catch {
    return null;
  }
}
