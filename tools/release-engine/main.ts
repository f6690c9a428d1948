/** `npm run release-engine -- node-red 5.0.7 [--security --reason "CVE-…"] [--dry-run]`: from a version to every workspace, step by step. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { engineNames } from "#contract/workspaces/engine-names.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";
import { StartTrouble } from "#platform/start-trouble.ts";
import { CommandRefused } from "#apps/ops/command.ts";
import { findsService, openContext } from "#apps/ops/open-context.ts";
import { explainStart } from "#apps/program/explain-start.ts";
import { ConfigInvalid } from "#apps/program/settings/environment.ts";
import { releaseImage } from "../image/release-image.ts";
import { runChild } from "../process/run-child.mjs";
import { releaseIn, type Target } from "./catalogue.ts";
import { listSteps, whatIsLeft, type ReleaseOptions, type Surroundings } from "./list-steps.ts";
import { runSteps, StepStopped } from "./run-steps.ts";

const usage = `Usage: npm run release-engine -- ${engineNames.join("|")} <version>
  --dry-run          only show what each step would do
  --security         a security fix: the fleet in waves of 5, 25 and all others, 10 minutes each, and the long tests afterwards; needs --reason
  --reason …         why, such as a CVE, for the audit log
  --as …             who you are, if the user name on this machine does not say so
  --canaries …, --waves …, --soak …, --at-once …
                     as for npm run ops -- update-fleet
  --channel stable|newest, --override name@version, --with name@version
                     as for npm run qualify
  --image            also build the image of workspaces; always with DRIVER=docker or kubernetes
  --registry …       its registry`;

const root = join(import.meta.dirname, "../..");
const print = (line: string) => void process.stdout.write(`${line}\n`);
const text = { type: "string" } as const;
const list = { type: "string", multiple: true, default: [] as string[] } as const;

function readInput() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      "dry-run": { type: "boolean", default: false },
      security: { type: "boolean", default: false },
      image: { type: "boolean", default: false },
      registry: text,
      channel: text,
      override: list,
      with: list,
      canaries: text,
      waves: text,
      soak: text,
      "at-once": text,
      reason: text,
      as: text,
    },
  });
  const [name, version = ""] = positionals;
  const engine = engineNames.find((each) => each === name);
  const { channel } = values;
  if (engine === undefined || !/^\d+\.\d+\.\d+$/.test(version) || positionals.length > 2) throw new StepStopped(usage);
  if (channel !== undefined && channel !== "stable" && channel !== "newest") throw new StepStopped(usage);
  if (values.security && !values.reason?.trim()) throw new StepStopped(`Say why, for the audit log: --reason "CVE-2026-1234".\n\n${usage}`);
  const given = (names: readonly ("canaries" | "waves" | "soak" | "at-once" | "reason" | "as")[]) =>
    names.flatMap((each) => (values[each] === undefined ? [] : [`--${each}`, values[each]]));
  const target: Target = { root, engine, version };
  const options: ReleaseOptions = {
    isUrgent: values.security,
    channel,
    qualify: [...values.override.flatMap((each) => ["--override", each]), ...values.with.flatMap((each) => ["--with", each])],
    fleet: given(["canaries", "waves", "soak", "at-once", "reason", "as"]),
  };
  const runsImages = ["docker", "kubernetes"].includes(process.env["DRIVER"] ?? "");
  const image = { args: values.registry === undefined ? [] : ["--registry", values.registry], isBuilt: () => isBuilt(target) };
  const surroundings: Surroundings = {
    runScript: async (script, args, env = {}) =>
      (await runChild(process.execPath, [resolve(root, script), ...args], { cwd: root, env: { ...process.env, ...env } })) === 0,
    image: values.image || runsImages ? image : undefined,
    openService: findsService(process.env) ? (command) => openContext(process.env, print, command) : undefined,
  };
  return { target, options, surroundings, isDry: values["dry-run"] };
}

const isBuilt = (target: Target): boolean =>
  releaseIn(target) !== undefined &&
  existsSync(join(root, ".cache/images", releaseImage({ ...target, enginesDir: enginesCacheDir }).fileName));

/** Expected errors print their message; others the stack. */
function explain(thrown: unknown): string {
  const error = explainStart(thrown, {
    dataDir: resolve(process.env["DATA_DIR"] || "data"),
    databaseUrl: process.env["DATABASE_URL"] || process.env["DATABASE_URL_FILE"] || undefined,
  });
  const isExpected = [StepStopped, CommandRefused, ConfigInvalid, StartTrouble].some((kind) => error instanceof kind);
  if (isExpected) return (error as Error).message;
  if ((error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS")) return `${(error as Error).message}\n\n${usage}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

try {
  const { target, options, surroundings, isDry } = readInput();
  const passed = await runSteps(listSteps(target, options, surroundings), { isDry, print, nowMs: () => performance.now() });
  if (passed) whatIsLeft(target, options, surroundings).forEach(print);
  else process.exitCode = 1;
} catch (error) {
  process.stderr.write(`\n${explain(error)}\n\n`);
  process.exitCode = 1;
}
