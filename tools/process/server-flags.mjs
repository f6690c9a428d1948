/** Node's options for the service: idle it took 315 MB, and takes 190 MB with the first and the environment. */
export const serverFlags = [
  // V8 lets the space for new objects grow to three times 45 MB while modules load, and never returns it.
  "--max-semi-space-size=8",
  `--import=${new URL("quick-modules.mjs", import.meta.url).href}`,
];

/** glibc gives each of some ten threads a memory arena, which keeps what the thread once needed. No effect on other systems. */
export const serverEnvironment = { MALLOC_ARENA_MAX: "2" };
