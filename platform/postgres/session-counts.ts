/**
 * How many sessions with PostgreSQL a process has at most, by what they are for. docs/scale.md adds them up for a whole service, and is
 * compared with this; a running process is too.
 */

/** Beside the pool of a process. */
export const sessionsBesidePool = {
  /** For all of its parts (listen.ts). */
  listen: 1,
  /** The lock on its data folder, or what announces a process without one (server/data-folder-lock.ts). */
  presence: 1,
  /** Of a worker whose driver runs workspaces on its own host: the lock on these. */
  workspaces: 1,
};

/** Of an operator's command. It runs one statement at a time, sometimes with a transaction open. */
export const commandSessions = 3;

/** Of a dump beside those of its command: the dump, the lock that keeps other dumps away, and what it is restored into on trial. */
export const dumpSessions = { dump: 1, lock: 1, trial: 2 };

/** Of a process with this pool; `runsWorkspaces`: it is a worker whose driver runs them on its own host. */
export function mostSessions(poolMax: number, runsWorkspaces: boolean): number {
  const { listen, presence, workspaces } = sessionsBesidePool;
  return poolMax + listen + presence + (runsWorkspaces ? workspaces : 0);
}
