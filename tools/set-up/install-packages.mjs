/** Makes node_modules match package-lock.json; takes a few milliseconds if it already does. */
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../root.mjs";
import { runWithUs } from "../process/run-quietly.mjs";
import { step } from "../process/step.mjs";
import { diskErrorIn, explainDisk, Trouble } from "../process/trouble.mjs";
import { prepareAlone } from "./only-one.mjs";

/** npm's reasons come first; after them it prints all its options. */
const shownLines = 30;
const neededGb = 0.8;

/** Runs `npm ci` if a package is missing or has another version; refuses with Trouble. */
export async function installPackages({ development }) {
  if (isInstalled(root, { development })) return;
  await prepareAlone(async () => {
    // The process that we waited for may have done it.
    if (isInstalled(root, { development })) return;
    await step("Installing packages (npm ci)", async () => {
      const { ok, output } = await npm(["ci", "--no-audit", "--no-fund", "--loglevel=error", ...(development ? ["--include=dev"] : [])]);
      if (!ok) throw new Trouble(explainFailure(output));
    });
  });
}

/** What npm's output means and what to do about it: in a sentence if the cause is outside of this clone, otherwise in npm's words. */
export function explainFailure(output) {
  const code = /^npm (?:error|ERR!) code (\S+)/m.exec(output)?.[1] ?? diskErrorIn(output) ?? "";
  if (/^(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|EPROTO|E5\d\d|ERR_SOCKET_TIMEOUT|FETCH_ERROR)$/.test(code)) {
    const host = /request to (?:\w+:\/\/)?([^/\s]+)/.exec(output)?.[1];
    return `The npm registry${host ? ` at ${host}` : ""} can't be reached (${code}). Check the network, or npm's settings for registry and proxy, and try again.`;
  }
  if (code === "ENOSPC" || code === "EDQUOT") return `The packages need ${neededGb} GB. ${explainDisk(code, root)}`;
  const path = /^npm (?:error|ERR!) path (.+)$/m.exec(output)?.[1] ?? join(root, "node_modules");
  const lines = output.trim().split("\n").slice(0, shownLines).join("\n");
  return explainDisk(code, path) ?? `npm ci failed:\n${lines}\n\nFix the cause and try again.`;
}

/**
 * Compares the lock with npm's list of what it installed, which is written last: an interrupted install leaves
 * none. Packages for other systems may be missing, as may development packages if they are not needed.
 */
export function isInstalled(folder, { development }) {
  const installedList = join(folder, "node_modules", ".package-lock.json");
  if (!existsSync(installedList)) return false;
  const installed = readPackages(installedList);
  return Object.entries(readPackages(join(folder, "package-lock.json"))).every(([path, wanted]) => {
    const mayBeMissing = path === "" || wanted.optional || wanted.devOptional || (wanted.dev && !development);
    return installed[path] ? installed[path].version === wanted.version : mayBeMissing;
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages;
  } catch (cause) {
    throw new Trouble(`${file} can't be read: ${cause.message}`, { cause });
  }
}

/** The npm that started us, which fits this Node; else the one on PATH. Under another package manager it is not npm. */
async function npm(args) {
  const started = process.env.npm_execpath ?? "";
  const [command, ...first] = started.endsWith("npm-cli.js") ? [process.execPath, started] : [findOnPath("npm")];
  if (!command) throw new Trouble("npm was not found. Install npm (it comes with Node) and try again.");
  return runWithUs(command, [...first, ...args], { cwd: root });
}

function findOnPath(program) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, program)).find((file) => existsSync(file));
}
