/**
 * Keeps callers from filling the log: beyond a number of calls a minute, an address's and a user's calls leave no lines below `warn`, and
 * one line counts them. The limits of calls (domain/attempts) refuse such callers, but a refusal is a line as well.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { addressSubject } from "#domain/attempts/attempt-store.ts";
import { limitLines } from "#platform/limit-lines.ts";
import type { Log } from "#platform/log.ts";

/** Calls a minute that leave lines. An office shares an address; a person's busiest minute is a page load every few seconds. */
export const loggedCalls = { ofAddress: 600, ofUser: 120 };

/** The longest path in a line: longer ones are made up. */
export const mostPathLength = 200;

/** Call it with each user, or what a refused call is counted by, once that is known. */
export type LimitUserLog = (request: FastifyRequest, userId: string) => void;

export function limitLog(app: FastifyInstance, log: Log): { limitUserLog: LimitUserLog; limitCallerLog: LimitUserLog } {
  const limit = (perMinute: number, what: string) =>
    limitLines({
      perMinute,
      onLeftOut: (key, calls) => log.info({ [what]: key, calls }, "further calls within a minute left no lines in the log"),
    });
  const [mayAddress, mayUser] = [limit(loggedCalls.ofAddress, "address"), limit(loggedCalls.ofUser, "userId")];
  const mayCaller = limit(loggedCalls.ofUser, "caller");
  const quieten = (request: FastifyRequest): void => void (request.log = request.log.child({}, { level: "warn" }));
  app.addHook("onRequest", (request, _reply, done) => {
    if (!mayAddress(addressSubject(request.ip))) quieten(request);
    done();
  });
  return {
    limitUserLog: (request, userId) => void (mayUser(userId) || quieten(request)),
    limitCallerLog: (request, caller) => void (mayCaller(caller) || quieten(request)),
  };
}
