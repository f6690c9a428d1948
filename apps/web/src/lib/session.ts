/** Who is signed in. The cookie is out of reach of scripts, so the only truth is what `/auth/me` last said. */
import type { User } from "#contract/account.ts";
import { ApiError } from "./api-error.ts";
import { callApi } from "./api-client.ts";
import { createStore, useStore } from "./store.ts";

/** `undefined` until the first answer; `null` is nobody. */
const session = createStore<User | null | undefined>(undefined);
const endListeners = new Set<() => void>();
let asking: Promise<User | null> | undefined;

/** The user as last known, without asking. */
export const knownUser = (): User | null | undefined => session.get();

/** Keeps the user that an answer carried. */
export const rememberUser = (user: User): void => session.set(user);

/** Asks the API once, however many ask at the same time; null when nobody is signed in. */
export function refreshUser(): Promise<User | null> {
  asking ??= askForUser().finally(() => (asking = undefined));
  return asking;
}

/** The known user, or the API's answer when nothing is known yet. */
export async function currentUser(): Promise<User | null> {
  const known = session.get();
  return known === undefined ? refreshUser() : known;
}

/** Forgets the user and everything that was theirs. */
export function endSession(): void {
  session.set(null);
  for (const listener of endListeners) listener();
}

/** Runs `listener` whenever a session ends, so that no cache outlives its owner. */
export function onSessionEnd(listener: () => void): void {
  endListeners.add(listener);
}

/** The signed-in user, kept current. Only for pages behind the `auth` guard, which a signed-out visitor never sees. */
export function useUser(): User {
  const user = useStore(session);
  if (!user) throw new ApiError("signed_out", 401);
  return user;
}

/** The signed-in user or null, kept current. */
export const useMaybeUser = (): User | null => useStore(session) ?? null;

async function askForUser(): Promise<User | null> {
  try {
    const { user } = await callApi("me");
    session.set(user);
    return user;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    session.set(null);
    return null;
  }
}
