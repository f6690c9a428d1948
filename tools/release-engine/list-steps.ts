/** The steps from a version of an engine to every workspace, in order: docs/runbooks/release-an-engine.md. */
import { commitRelease, isCommitted, isRecorded, refuseUnclean, releaseIn, releasesIn, usualChannel, type Target } from "./catalogue.ts";
import { StepStopped, type Step } from "./run-steps.ts";
import { fleetUpdateUnderWay, runUpdateFleet, whyNotRunning, type OpenService } from "./service.ts";

export interface ReleaseOptions {
  /** A security fix: the tests with real workspaces come last, and the fleet update has fewer and shorter waves. */
  isUrgent: boolean;
  /** Undefined: the usual one. */
  channel: "stable" | "newest" | undefined;
  /** For `npm run qualify`, such as `--override name@version`. */
  qualify: readonly string[];
  /** For `npm run ops -- update-fleet`; they replace those of a security fix. */
  fleet: readonly string[];
}

export interface Surroundings {
  /** Runs a script of the repository in this terminal. True: its exit code was 0. */
  runScript(script: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<boolean>;
  /** Undefined: workspaces do not run from images. */
  image?: { isBuilt(): boolean; args: readonly string[] } | undefined;
  /** Undefined: there is no service here. */
  openService?: OpenService | undefined;
}

/** Five workspaces at first, because a fault shows sooner among them, and three waves instead of four. */
const urgentFleet = ["--waves", "5,25,100%", "--soak", "10"];

export const fleetArguments = ({ version }: Pick<Target, "version">, { isUrgent, fleet }: ReleaseOptions): string[] => [
  version,
  // The last of two is the one that counts.
  ...(isUrgent ? urgentFleet : []),
  ...fleet,
];

export const testCommand = ({ engine, version }: Target): string => `ENGINE_RELEASE=${version} npm test -- ${engine}`;

export const opsCommand = (args: readonly string[]): string =>
  `npm run ops -- update-fleet ${args.map((arg) => (/^[\w.,:%@/=-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`)).join(" ")}`;

export function listSteps(target: Target, options: ReleaseOptions, surroundings: Surroundings): Step[] {
  const { image, openService } = surroundings;
  return [
    qualifyStep(target, options, surroundings),
    testStep(target, options, surroundings),
    commitStep(target),
    ...(image ? [imageStep(target, image, surroundings)] : []),
    ...(openService ? [programStep(target, openService), fleetStep(target, options, openService)] : []),
  ];
}

function qualifyStep(target: Target, options: ReleaseOptions, { runScript }: Surroundings): Step {
  const { engine, version } = target;
  const channel = options.channel ?? usualChannel(releasesIn(target), version);
  return {
    title: `Qualify ${engine} ${version}`,
    settled: async () => (isRecorded(target) ? describeRelease(target) : null),
    plan: async () => `would resolve, install, start and test it, for the channel "${channel}".`,
    async act() {
      if (!isCommitted(target)) refuseUnclean(target);
      // A run that ended in between needs only the rest.
      const args = releaseIn(target) ? ["--changes"] : ["--channel", channel, ...options.qualify];
      if (!(await runScript("tools/qualify/main.ts", [engine, version, ...args])) || !isRecorded(target))
        throw new StepStopped(
          'The lines above say why, and nothing is offered that was not before. What to do: docs/runbooks/release-an-engine.md, "What qualification decides".',
        );
      return describeRelease(target);
    },
  };
}

/** What a person should look at before the commit is pushed. */
function describeRelease(target: Target): string {
  const { packages, diskMb, channel, migrations = 0, changes } = releaseIn(target)!;
  const facts = [`${packages} packages`, `${diskMb} MB`, `channel "${channel}"`];
  if (changes) {
    const { since, newNodes, changedNodes, removedNodes } = changes;
    facts.push(`since ${since} ${newNodes.length} new, ${changedNodes.length} changed and ${removedNodes.length} removed nodes`);
    const before = releasesIn(target).find(({ version }) => version === since)?.migrations ?? 0;
    if (migrations > before) facts.push(`${migrations - before} more migrations, so that only a backup leads back`);
  }
  return `It is in the catalogue: ${facts.join(", ")}.`;
}

function testStep(target: Target, { isUrgent }: ReleaseOptions, { runScript }: Surroundings): Step {
  return {
    title: "Test it as owners use it",
    async settled() {
      if (isUrgent) return `A security fix does not wait for this. Run it when the fleet update has begun: ${testCommand(target)}`;
      return isCommitted(target) ? "It is committed." : null;
    },
    plan: async () => `would run ${testCommand(target)}.`,
    async act() {
      if (!(await runScript("tools/test.mjs", [target.engine], { ENGINE_RELEASE: target.version })))
        throw new StepStopped(
          `A test failed: the lines above say which. The release is in the catalogue, but not committed. To drop it: git checkout apps/provisioner/engines/${target.engine}/releases && git clean -fd apps/provisioner/engines/${target.engine}/releases`,
        );
      return "All passed.";
    },
  };
}

const commitStep = (target: Target): Step => ({
  title: "Commit it",
  settled: async () => (isCommitted(target) ? "It is committed." : null),
  plan: async () => `would commit its folder with a line in CHANGELOG.md: "Offer ${target.engine} ${target.version}".`,
  act: async () =>
    `Read git show ${commitRelease(target, releaseIn(target)!.channel ?? "newest")} and the release notes before you push it.`,
});

const imageStep = (target: Target, { isBuilt, args }: NonNullable<Surroundings["image"]>, { runScript }: Surroundings): Step => ({
  title: "Build its image",
  settled: async () => (isCommitted(target) && isBuilt() ? "Its archive is in .cache/images." : null),
  plan: async () => `would run npm run image -- workspace ${[target.engine, target.version, ...args].join(" ")}.`,
  async act() {
    if (!(await runScript("tools/image/main.ts", ["workspace", target.engine, target.version, ...args])))
      throw new StepStopped("The lines above say why. Run this again once that is mended.");
    return "Push it to your registry: docs/images.md.";
  },
});

/** The one step that only a person can take; this only looks whether it has been taken. */
function programStep(target: Target, open: OpenService): Step {
  const look = async () => (releaseIn(target) ? whyNotRunning(open, target) : "The release comes first.");
  return {
    title: "Run the program that includes it",
    settled: async () => ((await look()) === null ? "It runs." : null),
    plan: async () => `would stop here. ${await look()}`,
    async act() {
      throw new StepStopped((await look()) ?? "It started just now. Run this again.");
    },
  };
}

function fleetStep(target: Target, options: ReleaseOptions, open: OpenService): Step {
  const args = fleetArguments(target, options);
  return {
    title: "Update the fleet",
    settled: () => fleetUpdateUnderWay(open, target),
    async plan() {
      if (!releaseIn(target) || (await whyNotRunning(open, target)) !== null) return `would run ${opsCommand(args)}.`;
      await runUpdateFleet(open, [...args, "--dry-run"]);
      return `would run ${opsCommand(args)}, as shown above.`;
    },
    async act() {
      await runUpdateFleet(open, args);
      return (await fleetUpdateUnderWay(open, target)) ?? "No workspace has to be updated.";
    },
  };
}

/** What is left to do after the last step here, one command a line. */
export function whatIsLeft(target: Target, options: ReleaseOptions, { openService, image }: Surroundings): string[] {
  const lines: string[] = [];
  if (!openService) {
    lines.push("No service was found here (DATA_DIR or DATABASE_URL). What is left:");
    lines.push(
      `  ${image ? "docker load and docker push the image (docs/images.md), " : ""}git push, and upgrade the service (docs/runbooks/upgrade.md)`,
    );
    lines.push(`  ${opsCommand(fleetArguments(target, options))}`);
  }
  if (options.isUrgent) lines.push(`Still to test as owners use it: ${testCommand(target)}`);
  return lines;
}
