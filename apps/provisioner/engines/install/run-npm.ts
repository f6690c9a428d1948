/** Runs npm as a child process: found, given a small environment, and ended together with its caller. */
import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

interface NpmRun {
  /** Node that runs npm and the packages' own build scripts. */
  nodeBinary: string;
  /** Path of npm-cli.js. */
  npmCli: string;
  cwd: string;
  args: readonly string[];
  /** Ends npm and everything it started. */
  signal?: AbortSignal | undefined;
}

interface NpmResult {
  code: number;
  /** The newest output, both streams. */
  output: string;
}

const keptOutputBytes = 64 * 1024;
const supervisor = join(import.meta.dirname, "../../../../platform/host/end-with-parent.mjs");

/** Path of npm-cli.js: the npm that started us, else the one beside this Node, else the first on PATH; undefined if there is none. */
export function findNpm(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const beside = join(dirname(process.execPath), "..", "lib", "node_modules", "npm", "bin", "npm-cli.js");
  const onPath = (environment["PATH"] ?? "")
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, "npm"));
  return [environment["npm_execpath"] ?? "", beside, ...onPath]
    .filter((candidate) => candidate !== "" && existsSync(candidate))
    .map((candidate) => realpathSync(candidate))
    .find((candidate) => candidate.endsWith("npm-cli.js"));
}

/** Runs npm to its end and returns the result. Rejects only if it cannot be started or `signal` ends it. */
export async function runNpm(run: NpmRun): Promise<NpmResult> {
  run.signal?.throwIfAborted();
  const child = spawn(run.nodeBinary, ["--no-warnings", supervisor, run.nodeBinary, run.npmCli, ...run.args], {
    cwd: run.cwd,
    env: npmEnvironment(run.nodeBinary),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const endGroup = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
  };
  run.signal?.addEventListener("abort", endGroup, { once: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-keptOutputBytes);
    });
  }
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.once("error", reject).once("close", (code) => resolve(code ?? 1));
    });
    run.signal?.throwIfAborted();
    return { code, output };
  } finally {
    run.signal?.removeEventListener("abort", endGroup);
  }
}

/** Variables that npm and a compiler may need. Build scripts are foreign code: they get nothing else of ours. */
const passedOn = new Set([
  "HOME",
  "USER",
  "LOGNAME",
  "TMPDIR",
  "LANG",
  "CC",
  "CXX",
  "CFLAGS",
  "CXXFLAGS",
  "LDFLAGS",
  "MAKEFLAGS",
  "PYTHON",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "ALL_PROXY",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
]);
/** Variables about the project in which npm was started, which is not the one it installs now, and how much that npm prints. */
const notPassedOn = new Set([
  "npm_config_loglevel",
  "npm_config_local_prefix",
  "npm_config_workspace",
  "npm_config_workspaces",
  "npm_config_omit_lockfile_registry_resolved",
]);

function npmEnvironment(nodeBinary: string): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    const isKept =
      passedOn.has(name.toUpperCase()) || (name.toLowerCase().startsWith("npm_config_") && !notPassedOn.has(name.toLowerCase()));
    if (isKept && value !== undefined) environment[name] = value;
  }
  // Build scripts call plain `node`, which must be the one whose headers they compile against.
  environment["PATH"] = [dirname(nodeBinary), process.env["PATH"] ?? "/usr/bin:/bin"].join(delimiter);
  const prefix = dirname(dirname(nodeBinary));
  if (existsSync(join(prefix, "include", "node", "node_version.h"))) environment["npm_config_nodedir"] = prefix;
  return environment;
}
