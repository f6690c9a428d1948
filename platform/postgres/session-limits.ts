/**
 * The limits of every kind of session with PostgreSQL, on both sides. A client that gives up only closes its socket: without limits on the
 * server's side, its statement runs on, keeps its locks and commits later. docs/database-sessions.md explains them; a test compares the two.
 */
import type { ClientBase } from "pg";
import { hourMs, minuteMs, secondMs } from "../clock.ts";
import { timeLimits } from "../time-limits.ts";

export interface SessionLimits {
  /** The server ends a longer statement (`statement_timeout`). */
  statementMs: number;
  /** The server ends a longer wait for a lock (`lock_timeout`), advisory locks included. */
  lockMs: number;
  /** The server ends the session of a transaction that does nothing for longer (`idle_in_transaction_session_timeout`). */
  idleInTransactionMs: number;
  /** The server ends a session that does nothing, outside of a transaction, for longer (`idle_session_timeout`): its client is gone. */
  idleSessionMs: number;
  /** How often the server checks that the client of a running statement still exists (`client_connection_check_interval`). */
  clientCheckMs: number;
  /** The client gives up a connection that is not open by then, or that the pool has not provided. */
  connectMs: number;
  /** The client gives up a statement that is unanswered by then, and closes its connection. 0: never, the server's limits end it. */
  silenceMs: number;
}

const serving: SessionLimits = {
  statementMs: timeLimits.databaseStatementMs,
  lockMs: timeLimits.databaseLockMs,
  idleInTransactionMs: timeLimits.databaseIdleMs,
  // The pool closes an idle connection before that, after 10 s.
  idleSessionMs: timeLimits.databaseIdleMs,
  clientCheckMs: 2 * secondMs,
  connectMs: timeLimits.databaseSilenceMs,
  silenceMs: timeLimits.databaseSilenceMs,
};

/** Short statements of a dedicated session that is pinged, and replaced if it does not answer within 5 s. */
const pinged: SessionLimits = {
  ...serving,
  statementMs: 4 * secondMs,
  lockMs: 3 * secondMs,
  idleInTransactionMs: 4 * secondMs,
  // Pings are up to 15 s apart.
  idleSessionMs: minuteMs,
  connectMs: 5 * secondMs,
  silenceMs: 5 * secondMs,
};

export const sessionLimits = {
  /** The pool of a process with the roles api, worker or gateway, and of the operators' commands. */
  serving,
  /** LISTEN (listen.ts). */
  listen: pinged,
  /** The session that keeps the lock on a data folder or a host's workspaces, or announces a process (server/data-folder-lock.ts). */
  lock: pinged,
  /**
   * database/migrate.ts. An index of a large table takes minutes. The wait for a lock is short because everybody else waits behind it; it
   * is tried again.
   */
  migration: { ...serving, statementMs: hourMs, lockMs: 2 * secondMs, idleInTransactionMs: minuteMs, silenceMs: 0 },
  /** `ops sql`, which reads for an operator who waits. */
  query: { ...serving, statementMs: 30 * secondMs, silenceMs: 0 },
  /**
   * `ops backup-control-plane` and its restore: whole tables, a transaction that waits for a slow storage, and a session that keeps other
   * dumps away meanwhile.
   */
  dump: { ...serving, statementMs: hourMs, idleInTransactionMs: 10 * minuteMs, idleSessionMs: 12 * hourMs, silenceMs: 0 },
} as const satisfies Record<string, SessionLimits>;

export type SessionKind = keyof typeof sessionLimits;

/** How soon the server notices a client that vanished without closing its connection, beside the check during statements. TCP only. */
export const keepalive = { idleSeconds: 10, intervalSeconds: 5, count: 3, userTimeoutMs: 25 * secondMs };

/** PostgreSQL's settings of these limits, in its units. Those of TCP have no effect on a local socket. */
export const settingsOf = (limits: SessionLimits): Record<string, string> => ({
  statement_timeout: `${limits.statementMs}`,
  lock_timeout: `${limits.lockMs}`,
  idle_in_transaction_session_timeout: `${limits.idleInTransactionMs}`,
  idle_session_timeout: `${limits.idleSessionMs}`,
  client_connection_check_interval: `${limits.clientCheckMs}`,
  tcp_keepalives_idle: `${keepalive.idleSeconds}`,
  tcp_keepalives_interval: `${keepalive.intervalSeconds}`,
  tcp_keepalives_count: `${keepalive.count}`,
  tcp_user_timeout: `${keepalive.userTimeoutMs}`,
});

/**
 * Sets the limits in a session that has just been opened: one statement, which works behind a pooler in session mode too. Poolers refuse
 * the same limits as parameters of the connection, and an address that names some of them would replace ours.
 */
export async function limitSession(client: Pick<ClientBase, "query">, limits: SessionLimits): Promise<void> {
  const settings = Object.entries(settingsOf(limits));
  await client.query(
    `select ${settings.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, false)`).join(", ")}`,
    settings.flat(),
  );
}
