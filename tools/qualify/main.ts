/** `npm run qualify -- n8n 2.38.7 [--channel stable|newest] [--override name@version]… [--with name@version]…`, or `npm run qualify -- n8n 2.38.7 --changes` */
import { parseArgs } from "node:util";
import { engineNames } from "#contract/workspaces/engine-names.ts";
import { findNpm } from "#apps/provisioner/engines/install/run-npm.ts";
import { engineKits } from "./engine-kits.ts";
import { qualifyRelease } from "./qualify-release.ts";
import { recordChanges } from "./record-changes.ts";

const usage = `Usage: npm run qualify -- ${engineNames.join("|")} <version> [--channel stable|newest] [--override name@version]… [--with name@version]…, or --changes to only record what it changed`;

function readPairs(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const match = /^((?:@[\w.-]+\/)?[\w.-]+)@(\S+)$/.exec(pair);
      if (match === null) throw new Error(`"${pair}" is not name@version. ${usage}`);
      return [match[1]!, match[2]!];
    }),
  );
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    override: { type: "string", multiple: true, default: [] },
    with: { type: "string", multiple: true, default: [] },
    channel: { type: "string", default: "newest" },
    changes: { type: "boolean", default: false },
  },
});
const [name, version] = positionals;
const engine = engineNames.find((each) => each === name);
if (engine === undefined || version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) fail(usage);
const { channel } = values;
if (channel !== "stable" && channel !== "newest") fail(usage);
const npmCli = findNpm() ?? fail("npm was not found on this machine.");
const startedAtMs = performance.now();
const say = (line: string) => process.stdout.write(`${((performance.now() - startedAtMs) / 1000).toFixed(0).padStart(5)} s  ${line}\n`);
try {
  const kit = engineKits[engine];
  const [overrides, additions] = [readPairs(values.override), readPairs(values.with)];
  if (!values.changes) await qualifyRelease({ kit, version, channel, overrides, additions, npmCli, say });
  await recordChanges({ kit, version, npmCli, say });
} catch (error) {
  const cause = error instanceof Error && error.cause instanceof Error ? `\n${error.cause.message}` : "";
  fail(`${engine} ${version} does not qualify: ${(error as Error).message}${cause}`);
}
