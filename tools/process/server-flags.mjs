/**
 * Node's options for the service, to save memory and time: idle it took 315 MB, and takes 190 MB with the first flag and the environment.
 */

/** For every process that opens the database. */
export const quickModules = `--import=${new URL("quick-modules.mjs", import.meta.url).href}`;

/** V8 lets the space for new objects grow to three times 45 MB while modules load, and never returns it. */
export const serverFlags = ["--max-semi-space-size=8", quickModules];

/** glibc gives each of some ten threads a memory arena, which keeps what the thread once needed. No effect on other systems. */
export const serverEnvironment = { MALLOC_ARENA_MAX: "2" };
