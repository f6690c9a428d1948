/** Where things are in Slipway's image, and how it is run. The Dockerfile repeats it, and a test compares the two. */

/** Not the same user as in workspaces' containers. */
export const programUser = 10_002;
export const programFolder = "/opt/slipway";
/** Precompiled code, for that user. */
export const compiledFolder = "/opt/slipway/.compiled";
/** The only place that the program writes to, besides /tmp. */
export const dataFolder = "/data";
/** npm is in `lib` beside it, where the program looks for one. */
export const nodeFolder = "/usr/local";

/** What runs unless other arguments are given, such as `apps/ops/main.ts migrate`. */
const defaultArguments = ["apps/main.ts"];

export const programConfig = {
  Entrypoint: [
    "/usr/bin/tini",
    "--",
    "/usr/local/bin/node",
    "--max-semi-space-size=8",
    "--import=file:///opt/slipway/tools/process/quick-modules.mjs",
  ],
  Cmd: defaultArguments,
  User: `${programUser}:${programUser}`,
  WorkingDir: programFolder,
  Env: [
    "PATH=/usr/local/bin:/usr/bin:/bin",
    "NODE_ENV=production",
    `DATA_DIR=${dataFolder}`,
    `NODE_COMPILE_CACHE=${compiledFolder}`,
    "NODE_COMPILE_CACHE_PORTABLE=1",
    "MALLOC_ARENA_MAX=2",
  ],
  ExposedPorts: { "3000/tcp": {} },
  Labels: { "org.opencontainers.image.title": "Slipway", "org.opencontainers.image.licenses": "Apache-2.0" },
} as const;
