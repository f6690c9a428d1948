/** The signed-in user. Scripts cannot read the session's cookie, so only the last answer of `/auth/me` counts. */
import type { User } from "#contract/accounts/account.ts";
import { ApiError } from "../api/api-error.ts";
import { callApi } from "../api/api-client.ts";
import { cookieText } from "../browser/cookie-text.ts";
import { isElsewhere } from "../config.ts";
import { createStore, useStore } from "../store.ts";
import { asker } from "../api/asker.ts";

/** The cookie that says that this browser has a session; scripts cannot read the session's own cookie (platform/http/session-cookie.ts). */
const markName = "slipway-signed-in";

/** `undefined` until the first answer; `null` when signed out. */
const session = createStore<User | null | undefined>(undefined);
const startListeners = new Set<() => void>();
const endListeners = new Set<(how: SessionEnding) => void>();

/** Signing out leaves nothing behind; after an interruption the user continues where they were. */
export type SessionEnding = "signed-out" | "expired";

/** The error of the last request for the user, if it failed. */
let userFailure: unknown;

/** When the API last sent the user. */
let toldAtMs = -Infinity;

let asking: { since: number; answer: Promise<User | null> } | undefined;

/** The user as last known, without a request. */
export const knownUser = (): User | null | undefined => session.get();

/** The user, if the API sent it no longer ago than this. */
export const userOfTheLast = (ms: number): User | null | undefined => (performance.now() - toldAtMs < ms ? session.get() : undefined);

/** Whether this error is the reason why no user could be loaded. */
export const isUserFailure = (error: unknown): boolean => error instanceof ApiError && error === userFailure;

/** Stores the user from an answer. If none was known, they have just signed in; if it was another one, that one is signed out. */
export function rememberUser(user: User): void {
  const known = session.get();
  if (known && known.id !== user.id) endSession("signed-out");
  const isNew = session.get()?.id !== user.id;
  if (isNew) asker.change(user.id);
  session.set(user);
  if (isNew) for (const listener of startListeners) listener();
}

/** Stores the changed user, if they are still signed in. */
export function updateUser(user: User): void {
  if (session.get()?.id === user.id) session.set(user);
}

/** Runs `listener` whenever a user signs in here; returning to an open session does not count. */
export function onSessionStart(listener: () => void): void {
  startListeners.add(listener);
}

/** Asks the API once for all simultaneous callers; null when signed out. */
export function refreshUser(): Promise<User | null> {
  // A request from before a sign-in or sign-out concerns another user.
  if (asking?.since !== asker.era()) {
    const started = { since: asker.era(), answer: askForUser().finally(() => (asking === started ? (asking = undefined) : undefined)) };
    asking = started;
  }
  return asking.answer;
}

/** The navigations for which the user has been requested. */
const askedFor = new WeakSet<Request>();

/** The known user, or the API's answer if nothing is known yet; `navigation` records that the user was requested. */
export async function currentUser(navigation?: Request): Promise<User | null> {
  const known = session.get();
  if (known !== undefined) return known;
  if (navigation) askedFor.add(navigation);
  return refreshUser();
}

/** The user as of this navigation: requested again, unless a guard of the same navigation has just done so. */
export const freshUser = (navigation: Request): Promise<User | null> => (askedFor.has(navigation) ? currentUser() : refreshUser());

/**
 * The user, requested only if a user has signed in here before: a first visit to a public page makes no call that must be refused. A
 * page behind the `auth` guard always requests it.
 */
export async function likelyUser(): Promise<User | null> {
  return hasSessionMark() === false ? (session.get() ?? null) : currentUser();
}

/**
 * Forgets the user and all their data. The mark stays, because another user may be signed in to this browser by now; it is removed when
 * the service says that no user is signed in.
 */
export function endSession(how: SessionEnding = "signed-out"): void {
  asker.change(null);
  session.set(null);
  for (const listener of endListeners) listener(how);
}

/** Runs `listener` whenever a session ends, so that no cache outlives its owner. */
export function onSessionEnd(listener: (how: SessionEnding) => void): void {
  endListeners.add(listener);
}

/** Runs `listener` whenever there is a new answer about the user. */
export const watchUser = (listener: () => void): (() => void) => session.subscribe(listener);

/** The signed-in user, kept current. Only for pages behind the `auth` guard, which a signed-out visitor never sees. */
export function useUser(): User {
  const user = useStore(session);
  if (!user) throw new ApiError("signed_out", 401);
  return user;
}

/** The signed-in user or null, kept current. */
export const useMaybeUser = (): User | null => useStore(session) ?? null;

async function askForUser(): Promise<User | null> {
  const since = asker.era();
  const isLate = () => since !== asker.era();
  try {
    const { user } = await callApi("me");
    // The user signed out, or in again, while this was loading: drop the answer.
    if (isLate()) return session.get() ?? null;
    asker.name(user.id);
    toldAtMs = performance.now();
    // It is read again and again: an equal answer draws nothing again.
    if (JSON.stringify(user) !== JSON.stringify(session.get())) session.set(user);
    return user;
  } catch (error) {
    if (isLate()) return session.get() ?? null;
    if (!(error instanceof ApiError) || error.status !== 401) throw (userFailure = error);
    removeSessionMark();
    session.set(null);
    return null;
  }
}

/** Whether this browser may be signed in; `undefined` if that cannot be known. */
function hasSessionMark(): boolean | undefined {
  try {
    return document.cookie.includes(`${markName}=`);
  } catch {
    return undefined;
  }
}

/** As long as the longest session. */
const markSeconds = 30 * 24 * 3600;

/** The cookies of an API on another host are not this page's: here the page itself marks that there is a session. */
if (isElsewhere) session.subscribe(() => session.get() && setSessionMark(markSeconds));

/** For a session that ended without an answer from the server, such as an expired one, or on another host. */
export const removeSessionMark = (): void => setSessionMark(0);

function setSessionMark(seconds: number): void {
  try {
    document.cookie = cookieText(markName, "1", seconds);
  } catch {
    // Without cookies there is no session.
  }
}
