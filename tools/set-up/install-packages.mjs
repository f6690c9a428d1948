/** Makes node_modules match package-lock.json; takes a few milliseconds if it already does. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../root.mjs";
import { runQuietly } from "../process/run-quietly.mjs";
import { step } from "../process/step.mjs";
import { Trouble } from "../process/trouble.mjs";

/** npm's reasons come first; after them it prints all its options. */
const shownLines = 30;

/** Runs `npm ci` if a package is missing or has another version; refuses with Trouble. */
export async function installPackages({ development }) {
  if (isInstalled(root, { development })) return;
  await step("Installing packages (npm ci)", async () => {
    const { ok, output } = await npm(["ci", "--no-audit", "--no-fund", "--loglevel=error", ...(development ? ["--include=dev"] : [])]);
    if (!ok)
      throw new Trouble(
        `npm ci failed:\n${output.trim().split("\n").slice(0, shownLines).join("\n")}\n\nFix the cause (network? disk? permissions of node_modules?) and try again.`,
      );
  });
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
  const [command, ...first] = started.endsWith("npm-cli.js") ? [process.execPath, started] : ["npm"];
  try {
    return await runQuietly(command, [...first, ...args], { cwd: root });
  } catch (cause) {
    throw new Trouble("npm was not found. Install npm (it comes with Node) and try again.", { cause });
  }
}
