/**
 * Input that was not sent yet, stored in this tab until it is sent: it survives leaving a page by mistake and a session that ends while
 * typing. Passwords are never stored. Signing out asks about drafts, and removes them: forms/unsaved-input.ts.
 */
import { useCallback, useEffect, useRef, useState } from "react";
import { storedDrafts, type DraftKey } from "./forms/unsaved-input.ts";
import { knownUser } from "./session/session.ts";

/** A function of the previous value, or a new value. */
type DraftChange<Value> = Value | ((before: Value) => Value);

/**
 * The draft, or `initial` if there is none; call `forget` once it was sent. `namedKey` names the form and the user, and counts as it was at
 * first: when a session ends, its forms are drawn once more without a user. A value that `textOf` writes like `initial` is
 * no draft. `change` and `forget` keep their identity; a change given as a function always gets the newest value, even if two directly
 * follow each other.
 */
export function useDraft<Value extends object | string>(
  namedKey: DraftKey,
  initial: Value,
  textOf: (value: Value) => string = JSON.stringify,
): [value: Value, change: (change: DraftChange<Value>) => void, forget: () => void] {
  const [key] = useState(namedKey);
  const [value, setValue] = useState<Value>(() => readDraft<Value>(key) ?? initial);
  const newest = useRef(value);
  const [initialText] = useState(() => textOf(initial));
  const change = useCallback(
    (to: DraftChange<Value>) => {
      newest.current = typeof to === "function" ? to(newest.current) : to;
      setValue(newest.current);
      if (textOf(newest.current) === initialText) storedDrafts.remove(key);
      else storedDrafts.write(key, JSON.stringify(newest.current));
    },
    [key, textOf, initialText],
  );
  const forget = useCallback(() => storedDrafts.remove(key), [key]);
  return [value, change, forget];
}

/** Whether something was typed into that form and not sent. */
export const isDrafted = (key: DraftKey): boolean => readDraft(key) !== null;

/** A draft that survives only the end of a session: a user who leaves the page in another way finds the saved values on return. */
export function useDraftOverSessions<Value extends object | string>(key: DraftKey, initial: Value): ReturnType<typeof useDraft<Value>> {
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

function readDraft<Value>(key: DraftKey): Value | null {
  try {
    return JSON.parse(storedDrafts.read(key) ?? "null") as Value | null;
  } catch {
    return null;
  }
}
