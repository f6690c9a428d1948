/** The last account that signed in to this browser, so that its name need not be typed again after a session has ended. */
import { localValues, type StoredValues } from "../browser/stored-value.ts";
import { knownUser, onSessionEnd, watchUser } from "./session.ts";

const usernameKey = "slipway.cached-username";

/** Empty if no account has signed in here, or if the last one signed out. */
export const cachedUsername = (values: StoredValues = localValues): string => values.read(usernameKey) ?? "";

/** Keeps the name of whoever signs in. Signing out removes it, because others may use this browser next. */
export function followUsername(values: StoredValues = localValues): void {
  let kept: string | undefined;
  watchUser(() => {
    const username = knownUser()?.username;
    if (username === undefined || username === kept) return;
    kept = username;
    values.write(usernameKey, username);
  });
  onSessionEnd((how) => {
    kept = undefined;
    if (how === "signed-out") values.remove(usernameKey);
  });
}
