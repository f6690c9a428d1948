/** Makes the contract's calls. The session is an httpOnly cookie, so nothing is added to a request. */
import type { RouteAnswer, RouteBodyInput, RouteParams, RouteQuery } from "#contract/api/route.ts";
import { personHeader } from "#contract/api/person-header.ts";
import type { Problem } from "#contract/api/problem.ts";
import { ApiError } from "./api-error.ts";
import { asker } from "./asker.ts";
import { calls, type SignInCallName, type Routes } from "./calls.ts";
import type { PanelCallName } from "./panel-calls.ts";
import { isServiceThere, loadChunk } from "../faults/chunk-reload.ts";
import { addressOf, isElsewhere } from "../config.ts";
import { spokenLanguage } from "../../words/spoken.ts";

type CallName = SignInCallName | PanelCallName;

type Input<Name extends CallName> = (RouteBodyInput<Routes[Name]> extends undefined
  ? { body?: undefined }
  : { body: RouteBodyInput<Routes[Name]> }) &
  (RouteParams<Routes[Name]> extends undefined ? { params?: undefined } : { params: RouteParams<Routes[Name]> }) &
  (RouteQuery<Routes[Name]> extends undefined ? { query?: undefined } : { query?: RouteQuery<Routes[Name]> }) & {
    signal?: AbortSignal;
    /** Identifies an action that is carried out once, however often this call is made. */
    key?: string;
    /** If it needs the password, it fails and does not ask for it: the page works without the answer, and offers to ask. */
    isOptional?: boolean;
  };

/** Omitted only if a call needs neither a body nor path parameters. */
type Arguments<Name extends CallName> = [RouteBodyInput<Routes[Name]>, RouteParams<Routes[Name]>] extends [undefined, undefined]
  ? [input?: Input<Name>]
  : [input: Input<Name>];

type Answer<Name extends CallName> = RouteAnswer<Routes[Name]>;

/** Longer than twice the API's wait for a payment provider: after that, no answer will come. */
const callLimitMs = 60_000;

/** Answers that mean that the page's user is no longer signed in. */
const endings: ReadonlySet<string> = new Set(["session_expired", "signed_out", "other_person"]);

let onSignedOut: (error: ApiError) => void = () => {};

/** Sets the one listener for answers that say that the session has ended. */
export function whenSignedOut(listener: (error: ApiError) => void): void {
  onSignedOut = listener;
}

let askPassword: (isForPage: boolean) => Promise<boolean> = () => Promise.resolve(false);

/**
 * Sets the function that asks for the password when a call needs it; if it resolves to yes, the call is repeated. `isForPage`: the call
 * only reads what a page shows, and may be made again and again.
 */
export function whenPasswordNeeded(ask: (isForPage: boolean) => Promise<boolean>): void {
  askPassword = ask;
}

/** The address of a call, for pictures and downloads. */
export const callUrl = (name: SignInCallName): string => addressOf(calls[name].path);

/** Opens a call that answers with server-sent events. */
export const openEvents = (name: SignInCallName): EventSource => new EventSource(callUrl(name), { withCredentials: true });

/** Makes one call; returns the contract's shape, and throws nothing but ApiError. */
export const callApi = <Name extends CallName>(name: Name, ...[input]: Arguments<Name>): Promise<Answer<Name>> =>
  makeCall(name, input as RequestInput, false) as Promise<Answer<Name>>;

/** How many of this page's changing calls have ended, answered or not. */
let changesEnded = 0;

async function makeCall(name: CallName, input: RequestInput | undefined, isRepeated: boolean): Promise<unknown> {
  const call = await findCall(name);
  // Signing out is a GET.
  const isRead = name !== "logOut" && (call.method === "GET" || call.method === "HEAD");
  const since = asker.era();
  const person = asker.person();
  const changesBefore = changesEnded;
  let response: Response;
  try {
    response = await request(call, input);
  } finally {
    if (!isRead) changesEnded += 1;
  }
  if (response.ok) {
    const answer = response.status === 204 || call.method === "HEAD" ? undefined : await readJson(response);
    // The caller would otherwise show it to the next user, or store it among their data.
    if (!isRead && name !== "logOut" && person !== null && asker.person() !== person) throw new ApiError("signed_out", 401);
    // A change has ended since then: this answer may predate it, and would overwrite its result.
    return isRead && changesEnded !== changesBefore && since === asker.era() ? makeCall(name, input, isRepeated) : answer;
  }
  const error = await refusal(response);
  if (error.code === "password_needed" && !input?.isOptional && (await askPassword(isRead))) return makeCall(name, input, isRepeated);
  // A refusal of an earlier session says nothing about the current one.
  if (!endings.has(error.code) || since !== asker.era()) throw error;
  // A confirmed password or a sign-in in another tab replaces the cookie, and this call may have been sent just then. Reading the user
  // settles it, and ends a session that is over.
  if (error.code !== "session_expired" || name === "me" || isRepeated) onSignedOut(error);
  else if (
    await callApi("me").then(
      () => true,
      () => false,
    )
  )
    return makeCall(name, input, true);
  throw error;
}

interface RequestInput {
  body?: unknown;
  params?: Record<string, string>;
  query?: object;
  signal?: AbortSignal;
  key?: string;
  isOptional?: boolean;
}

async function request({ method, path }: { method: string; path: string }, input: RequestInput = {}): Promise<Response> {
  const address = addressOf(path).replace(/\/:(\w+)/g, (_mark, item: string) => `/${encodeURIComponent(input.params?.[item] ?? "")}`);
  const items = Object.entries(input.query ?? {}).filter(([, value]) => value !== undefined);
  const search = items.length > 0 ? `?${new URLSearchParams(items as [string, string][])}` : "";
  const headers: Record<string, string> = { accept: "application/json" };
  const init: RequestInit = { method, credentials: "include", headers };
  const person = asker.person();
  if (person !== null) headers[personHeader] = person;
  // The cookie of the chosen language does not reach another host.
  if (isElsewhere) headers["accept-language"] = spokenLanguage.get();
  if (input.signal) init.signal = input.signal;
  if (input.key) headers["idempotency-key"] = input.key;
  if (input.body !== undefined) {
    headers["content-type"] = "application/json";
    init.body = JSON.stringify(input.body);
  }
  return send(address + search, init);
}

/** Fetches, with the time limit of a call; throws ApiError if there is no answer. */
export async function send(address: string, init: RequestInit): Promise<Response> {
  const limit = AbortSignal.timeout(callLimitMs);
  try {
    return await fetch(address, { ...init, signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit });
  } catch (cause) {
    throw unanswered(cause);
  }
}

/** The error to show when a connection breaks off or times out. */
export const unanswered = (cause: unknown): ApiError =>
  new ApiError(isTimeUp(cause) ? "timed_out" : "unreachable", 0, undefined, { cause });

const isTimeUp = (cause: unknown): boolean => cause instanceof DOMException && cause.name === "TimeoutError";

async function findCall(name: CallName): Promise<{ method: string; path: string }> {
  if (name in calls) return calls[name as SignInCallName];
  try {
    return (await loadChunk(() => import("./panel-calls.ts"), isServiceThere)).panelCalls[name as PanelCallName];
  } catch (cause) {
    throw new ApiError("unreachable", 0, undefined, { cause });
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    throw isTimeUp(cause) ? unanswered(cause) : new ApiError("unreadable", response.status, undefined, { cause });
  }
}

/** The error in an unsuccessful answer. */
export async function refusal(response: Response): Promise<ApiError> {
  // A proxy in between may answer with its own page; then only the status counts.
  const answer = (await response.json().catch(() => null)) as Partial<Problem> | null;
  if (!answer?.code) return new ApiError(response.status >= 500 ? "unavailable" : "unreadable", response.status);
  const retryAfter = Number(response.headers.get("retry-after"));
  return new ApiError(answer.code, response.status, {
    ...answer,
    retryAfterSeconds: answer.retryAfterSeconds ?? (retryAfter > 0 ? Math.ceil(retryAfter) : undefined),
  });
}
