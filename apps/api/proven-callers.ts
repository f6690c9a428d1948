/**
 * Counts a caller who has proved who they are, by a session or a browser that has signed in before, apart from everyone else at their
 * address, so that strangers there can't use up their calls (decision 0198). What a caller only claims stays counted by address: a look-up
 * in the database is spent on a claim once, and only on one that this service has signed.
 */
import type { FastifyRequest } from "fastify";
import { hashToken } from "#domain/accounts/token.ts";
import { addressSubject } from "#domain/attempts/attempt-store.ts";
import { minuteMs } from "#platform/clock.ts";
import type { CountedCallers } from "#platform/http/mount.ts";
import { limitLines } from "#platform/limit-lines.ts";

/** Tokens that a process remembers, the latest used: more than it serves in an hour. */
const mostRemembered = 10_000;
/** A session that has ended, or a browser that was forgotten, has its own count for this long. */
const browserFreshMs = minuteMs;
/** Browsers that turn out to be unknown, for each address and minute. Beyond it, signed claims from there are not looked up either. */
export const mostFalseClaims = 30;

export interface ProvenCallers extends CountedCallers {
  /** A session was found for this token; `null`: it has ended. */
  noteSession(token: string, sessionId: string | null): void;
}

interface ProvenCallersOptions {
  sessionToken: (request: FastifyRequest) => string | undefined;
  /** The token of a browser's cookie that this service has signed, else null. */
  browserToken: (request: FastifyRequest) => string | null;
  /** What a known browser is counted by, however often its token is replaced; null: no one has signed in there; undefined: no answer. */
  findBrowser: (token: string) => Promise<string | null | undefined>;
}

export function provenCallers({ sessionToken, browserToken, findBrowser }: ProvenCallersOptions): ProvenCallers {
  const sessions = latest<string>();
  const browsers = latest<{ id: string | null; atMs: number }>();
  const mayClaim = limitLines({ perMinute: mostFalseClaims, onLeftOut: () => undefined });
  /** Addresses that have made too many false claims, until the time. */
  const doubted = latest<number>();

  /** The session that a call for sessions was made in lately. Others are not counted by it: a user may have many, but few browsers. */
  const sessionOf = (request: FastifyRequest): string | undefined => {
    const token = request.routeOptions.config.countedBy === "session" ? sessionToken(request) : undefined;
    return token === undefined ? undefined : sessions.get(token);
  };
  const claimOf = (request: FastifyRequest): string | null => {
    const { countedBy = "address" } = request.routeOptions.config;
    return countedBy === "address" ? null : browserToken(request);
  };
  const isDoubted = (address: string): boolean => (doubted.get(address) ?? 0) > performance.now();

  return {
    before(request) {
      const address = addressSubject(request.ip);
      const sessionId = sessionOf(request);
      if (sessionId !== undefined) return `session ${sessionId}`;
      const token = claimOf(request);
      if (token === null) return address;
      const known = browsers.get(token);
      if (known) return known.id === null ? address : `browser ${known.id}`;
      return isDoubted(address) ? address : `claim ${hashToken(token)}`;
    },
    async check(request) {
      const token = sessionOf(request) === undefined ? claimOf(request) : null;
      if (token === null) return;
      const known = browsers.get(token);
      // One that is unknown stays so: nobody signs in with a token that was replaced.
      if (known && (known.id === null || performance.now() - known.atMs < browserFreshMs)) return;
      const address = addressSubject(request.ip);
      if (!known && isDoubted(address)) return;
      const id = await findBrowser(token);
      if (id === undefined) return;
      browsers.set(token, { id, atMs: performance.now() });
      if (id === null && !mayClaim(address)) doubted.set(address, performance.now() + minuteMs);
    },
    subjectOf(request) {
      const sessionId = sessionOf(request);
      if (sessionId !== undefined) return `session ${sessionId}`;
      const token = claimOf(request);
      const id = token === null ? null : browsers.get(token)?.id;
      return id ? `browser ${id}` : addressSubject(request.ip);
    },
    noteSession(token, sessionId) {
      if (sessionId === null) sessions.delete(token);
      else sessions.set(token, sessionId);
    },
  };
}

/** The values that were set or read last. Only hashes are kept: the memory of a process reveals no token. */
function latest<Value>() {
  const values = new Map<string, Value>();
  return {
    get(token: string): Value | undefined {
      const key = hashToken(token);
      const value = values.get(key);
      if (value !== undefined) {
        values.delete(key);
        values.set(key, value);
      }
      return value;
    },
    set(token: string, value: Value): void {
      const key = hashToken(token);
      values.delete(key);
      values.set(key, value);
      if (values.size > mostRemembered) values.delete(values.keys().next().value!);
    },
    delete: (token: string): void => void values.delete(hashToken(token)),
  };
}
