/**
 * Every time limit on the way of a request, from the outermost to the innermost. Each phase of a request has its own limit, and what a
 * handler waits for has less time than the handler, so that it answers itself. Whoever waits outside waits longer than all that is inside.
 * time-limits.test.ts adds them up.
 */
import { minuteMs, secondMs } from "./clock.ts";

export const timeLimits = {
  /** The panel gives a call up (apps/web/src/lib/api/api-client.ts), and many proxies do. */
  callerMs: minuteMs,

  /** The front door: the head of a request, on any host. */
  headMs: 30 * secondMs,
  /**
   * The front door's own limits for the panel's host, which only matter if the API's do not work: a whole body, and a connection on which
   * nothing happens.
   */
  doorBodyMs: 70 * secondMs,
  doorSilenceMs: 75 * secondMs,

  /** The API, phase by phase. Before the body: limits of calls, and who is signed in. */
  checksMs: 8 * secondMs,
  /** A megabyte, larger than any body, over a slow mobile connection; and a sender that pauses, which is broken or hostile. */
  bodyMs: minuteMs,
  bodySilenceMs: 30 * secondMs,
  /** The handler, until its answer begins. What it started may continue, and is fenced by what it holds. */
  handlerMs: 48 * secondMs,
  /** A client that reads nothing of its answer. */
  answerSilenceMs: 30 * secondMs,

  /** Calls to other services by a handler, all of them together: then it still has the time for a statement. */
  outsideMs: 28 * secondMs,
  /** One call to the payment provider, with all its tries. Longer than a bank's slowest answer. */
  providerMs: 25 * secondMs,
  providerTryMs: 12 * secondMs,
  providerTries: 2,
  /** Stripe's library waits half a second before a second try. */
  providerPauseMs: secondMs / 2,
  /** A page that only reads waits no longer for the provider, before it says that it cannot be reached. */
  providerReadMs: 8 * secondMs,

  /**
   * An idempotency key is leased to one process, which renews the lease while it works. So the lease outlasts the work, however long that
   * takes; it only has to outlast two renewals that failed.
   */
  keyLeaseMs: 45 * secondMs,
  keyRenewMs: 10 * secondMs,
  /** A second call with the same key waits for the first one's answer, and is then told that the first is still in progress. */
  keyWaitMs: 20 * secondMs,

  /** A statement, and a new connection, that the database does not answer: the connection is closed and replaced. */
  databaseSilenceMs: 20 * secondMs,
  /** The server ends a statement before its caller gives it up, and a wait for a lock long before that (platform/postgres/session-limits.ts). */
  databaseStatementMs: 18 * secondMs,
  databaseLockMs: 5 * secondMs,
  /**
   * A session that does nothing, in a transaction or not: its process is gone or frozen. Shorter than the wait for a statement, so that a
   * commit or a statement that arrives after its caller gave up, because the server or the line was frozen, finds its session ended.
   */
  databaseIdleMs: 18 * secondMs,

  /** The gateway: a connection to a workspace, the wait for its start, and, from the end of the request, the head of its answer. */
  connectMs: 2 * secondMs,
  workspaceWaitMs: 28 * secondMs,
  workspaceAnswerMs: 5 * minuteMs,
  handshakeMs: 30 * secondMs,
  /** A request whose body pauses for this long: its sender is gone. */
  uploadSilenceMs: 2 * minuteMs,
  /**
   * A visitor who reads nothing of an answer for this long is gone. The system takes up to 4 MB for it, and asks for more when a third of them
   * has been read: a slow phone needs minutes for that.
   */
  readSilenceMs: 5 * minuteMs,
  /** For the same reason, it takes this long to tell whether a visitor reads slowly; others that wait for its place do not give up before. */
  slowReadMs: 20 * secondMs,
} as const;
