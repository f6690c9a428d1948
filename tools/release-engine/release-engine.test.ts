import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { workspaces } from "#database/tables.ts";
import { notePresence } from "#domain/workspaces/present-releases.ts";
import { stopFleetUpdate } from "#apps/ops/commands/fleet/direct-fleet-update.ts";
import type { OpsContext } from "#apps/ops/command.ts";
import type { DriverName } from "#apps/program/choices/create-driver.ts";
import { releasesOf } from "#apps/provisioner/engines/releases/releases-of.ts";
import type { ReleaseFile } from "#apps/provisioner/engines/releases/read-releases.ts";
import { listFleetUpdates } from "#domain/updates/fleet/fleet-update-store.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { announceProcess } from "#platform/postgres/server/data-folder-lock.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { replaceReleaseFile, writeRelease } from "../qualify/write-release.ts";
import { usualChannel, withChangelogLine, type Target } from "./catalogue.ts";
import { fleetArguments, listSteps, opsCommand, whatIsLeft, type ReleaseOptions, type Surroundings } from "./list-steps.ts";
import { describeDuration, runSteps, StepStopped, type Step } from "./run-steps.ts";
import type { OpenService } from "./service.ts";

const usual: ReleaseOptions = { isUrgent: false, channel: undefined, qualify: [], fleet: [] };
const urgent: ReleaseOptions = { ...usual, isUrgent: true, fleet: ["--reason", "CVE-2026-1234"] };

/** Runs the steps, and resolves with what was printed and whether none failed. */
async function run(steps: readonly Step[], { isDry = false, nowMs = (): number => 0 } = {}) {
  const lines: string[] = [];
  const passed = await runSteps(steps, { isDry, print: (line) => lines.push(line), nowMs });
  return { lines, passed };
}

test("each step has a line with how long it took, and the first that fails ends the run with what to do", async () => {
  let seconds = 0;
  const step = (title: string, takes: number, problem?: string): Step => ({
    title,
    settled: async () => null,
    plan: async () => "would.",
    async act() {
      seconds += takes;
      if (problem !== undefined) throw new StepStopped(problem);
      return "Good.";
    },
  });
  const nowMs = () => seconds * 1000;
  const none: Step = { ...step("None", 0), settled: async () => "It was." };
  expect(await run([step("One", 8), none, step("Two", 125)], { nowMs })).toEqual({
    passed: true,
    lines: [
      "1/3 One …",
      "1/3 One: done in 8 s. Good.",
      "2/3 None: nothing to do. It was.",
      "3/3 Two …",
      "3/3 Two: done in 2 min 5 s. Good.",
      "All steps took 2 min 13 s.",
    ],
  });
  expect(await run([step("One", 3, "Do this."), step("Two", 1)], { nowMs })).toEqual({
    passed: false,
    lines: ["1/2 One …", "1/2 One: stopped after 3 s. Do this."],
  });
  expect(await run([step("One", 3, "Do this.")], { isDry: true })).toEqual({
    passed: true,
    lines: ["1/1 One: would.", "Nothing was changed."],
  });
  expect(describeDuration(59_600)).toBe("1 min 0 s");
});

test("the changelog's line goes to the end of what is unreleased for operators, once", () => {
  const release = { engine: "node-red", version: "4.1.16" } as const;
  const line = '- node-red 4.1.16 is a qualified release, in the channel "stable".';
  const cut = (text: string) => withChangelogLine(text, release, "stable");
  const full =
    "# C\n\n## Unreleased\n\n### For operators\n\n- Old.\n\n### For contributors\n\n- B.\n\n## 0.1.0\n\n### For operators\n\n- Older.\n";
  expect(cut(full)).toBe(full.replace("- Old.\n", `- Old.\n${line}\n`));
  expect(cut(cut(full))).toBe(cut(full));
  const last = "# C\n\n## Unreleased\n\n### For operators\n\n- Old.\n";
  expect(cut(last)).toBe(`${last}${line}\n`);
  const before = "# C\n\n## Unreleased\n\n### For operators\n\n- Old.\n\n## 0.1.0\n\n- A.\n";
  expect(cut(before)).toBe(before.replace("- Old.\n", `- Old.\n${line}\n`));
  expect(cut("# C\n\n## Unreleased\n\n## 0.1.0\n\n- A.\n")).toBe(
    `# C\n\n## Unreleased\n\n### For operators\n\n${line}\n\n## 0.1.0\n\n- A.\n`,
  );
  expect(() => cut("# C\n")).toThrow("Unreleased");
});

test("a patch of a stable release is stable, and a new minor or major is in the channel newest", () => {
  const releases = [
    { version: "5.0.7", channel: "newest" },
    { version: "4.1.15", channel: "stable" },
  ] as const;
  expect(["4.1.16", "4.2.0", "5.0.8", "6.0.0"].map((version) => usualChannel(releases, version))).toEqual([
    "stable",
    "newest",
    "newest",
    "newest",
  ]);
});

test("a security fix has fewer and shorter waves with a larger first one, unless other ones are given", () => {
  const target = { version: "4.1.16" };
  expect(opsCommand(fleetArguments(target, usual))).toBe("npm run ops -- update-fleet 4.1.16");
  expect(opsCommand(fleetArguments(target, { ...urgent, fleet: ["--canaries", "acme", "--reason", "the owner's fix"] }))).toBe(
    "npm run ops -- update-fleet 4.1.16 --waves 5,25,100% --soak 10 --canaries acme --reason 'the owner'\\''s fix'",
  );
});

const file = (version: string, channel: "stable" | "newest", since?: string): ReleaseFile => ({
  engine: "node-red",
  version,
  releasedAt: "2026-09-08T14:54:42.338Z",
  packages: 400,
  channel,
  diskMb: 100,
  ...(since === undefined ? {} : { changes: { since, newNodes: [], changedNodes: [], removedNodes: [] } }),
  qualified: { node: "24.0.0", installSeconds: 1, readySeconds: 1, memoryMb: 100, checks: [] },
});

/** A clone with Node-RED 4.1.15 and 5.0.7, in which `npm run qualify` and `npm test` are simulated and noted in `calls`. */
async function makeClone() {
  const root = mkdtempSync(join(tmpdir(), "slipway-release-engine-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const releases = join(root, "apps/provisioner/engines/node-red/releases");
  const packages = join(root, "packages");
  for (const folder of [releases, packages]) mkdirSync(folder, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) writeFileSync(join(packages, name), "{}");
  await writeRelease(packages, releases, file("4.1.15", "stable"));
  await writeRelease(packages, releases, file("5.0.7", "newest", "4.1.15"));
  writeFileSync(join(root, "CHANGELOG.md"), "# C\n\n## Unreleased\n\n### For operators\n\n- Old.\n");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" });
  git("init", "--quiet");
  git("config", "user.name", "a");
  git("config", "user.email", "a@example.com");
  git("add", ".");
  git("commit", "--quiet", "--message", "first");

  const target: Target = { root, engine: "node-red", version: "4.1.16" };
  const calls: string[] = [];
  const broken = new Set<string>();
  const runScript: Surroundings["runScript"] = async (script, args, env = {}) => {
    calls.push([...Object.entries(env).map(([name, value]) => `${name}=${value}`), script, ...args].join(" "));
    if (broken.has(script)) return false;
    if (script !== "tools/qualify/main.ts") return true;
    if (!args.includes("--changes")) await writeRelease(packages, releases, file("4.1.16", "stable"));
    if (broken.has("comparison")) return false;
    await replaceReleaseFile(releases, file("4.1.16", "stable", "4.1.15"));
    await replaceReleaseFile(releases, file("5.0.7", "newest", "4.1.16"));
    return true;
  };
  const release = (options = usual, surroundings: Partial<Surroundings> = {}, isDry = false) =>
    run(listSteps(target, options, { runScript, ...surroundings }), { isDry });
  return { root, releases, git, calls, broken, target, release };
}

const qualifies = "tools/qualify/main.ts node-red 4.1.16 --channel stable";
const tests = "ENGINE_RELEASE=4.1.16 tools/test.mjs node-red";

test("one command qualifies, tests and commits a version, and run again it has nothing to do", async () => {
  const { root, git, calls, release, target } = await makeClone();
  writeFileSync(join(root, "staged.txt"), "another change");
  git("add", "staged.txt");
  const dry = await release(usual, {}, true);
  expect(dry.lines).toHaveLength(4);
  expect(dry.lines.at(-1)).toBe("Nothing was changed.");
  expect(calls).toEqual([]);
  const { passed, lines } = await release();
  expect(passed).toBe(true);
  expect(calls).toEqual([qualifies, tests]);
  expect(lines[1]).toContain('channel "stable", since 4.1.15 0 new, 0 changed and 0 removed nodes');
  const [subject, ...files] = git("show", "--format=%s", "--name-only").split("\n").filter(Boolean);
  expect(subject).toBe("Offer node-red 4.1.16");
  const folder = "apps/provisioner/engines/node-red/releases";
  expect(files).toEqual([
    "CHANGELOG.md",
    ...["package-lock.json", "package.json", "release.json"].map((name) => `${folder}/4.1.16/${name}`),
    `${folder}/5.0.7/release.json`,
  ]);
  expect(git("status", "--porcelain")).toBe("A  staged.txt\n");
  // What others write into the changelog meanwhile does not make it unreleased.
  writeFileSync(join(root, "CHANGELOG.md"), `${readFileSync(join(root, "CHANGELOG.md"), "utf8")}- Mine.\n`);
  expect((await release()).lines.every((line) => !/^\d/.test(line) || line.includes("nothing to do"))).toBe(true);
  expect(calls).toHaveLength(2);
  expect(whatIsLeft(target, urgent, { runScript: async () => true })).toEqual([
    "No service was found here (DATA_DIR or DATABASE_URL). What is left:",
    "  git push, and upgrade the service (docs/runbooks/upgrade.md)",
    "  npm run ops -- update-fleet 4.1.16 --waves 5,25,100% --soak 10 --reason CVE-2026-1234",
    "Still to test as owners use it: ENGINE_RELEASE=4.1.16 npm test -- node-red",
  ]);
});

test("a version that does not qualify ends the run: nothing is tested, committed or offered", async () => {
  const { broken, calls, git, release, releases } = await makeClone();
  broken.add("tools/qualify/main.ts");
  const { passed, lines } = await release();
  expect(passed).toBe(false);
  expect(lines.at(-1)).toMatch(/^1\/3 Qualify node-red 4\.1\.16: stopped after 0 s\. .*What qualification decides/);
  expect(calls).toEqual([qualifies]);
  expect(existsSync(join(releases, "4.1.16"))).toBe(false);
  expect(git("status", "--porcelain")).toBe("");
});

test("a run that was interrupted continues where it ended, and commits only what was tested", async () => {
  const { broken, calls, git, release, root } = await makeClone();
  broken.add("comparison");
  expect((await release()).passed).toBe(false);
  broken.clear();
  broken.add("tools/test.mjs");
  const failed = await release();
  expect(failed.lines.at(-1)).toContain("A test failed");
  expect(git("log", "--format=%s")).toBe("first\n");
  broken.clear();
  // A kill between the changelog and the commit.
  const path = join(root, "CHANGELOG.md");
  writeFileSync(path, withChangelogLine(readFileSync(path, "utf8"), { engine: "node-red", version: "4.1.16" }, "stable"));
  expect((await release()).passed).toBe(true);
  expect(calls).toEqual([qualifies, "tools/qualify/main.ts node-red 4.1.16 --changes", tests, tests]);
  expect(git("status", "--porcelain")).toBe("");
  expect(readFileSync(path, "utf8").split("4.1.16")).toHaveLength(2);
});

test("other changes in the changelog are refused before the work begins", async () => {
  const { calls, release, root } = await makeClone();
  writeFileSync(join(root, "CHANGELOG.md"), "# C\n\n## Unreleased\n\n### For operators\n\n- Other.\n");
  expect((await release()).lines.at(-1)).toContain("CHANGELOG.md has other changes. Commit them first");
  expect(calls).toEqual([]);
});

test("a security fix does not wait for the long tests, and with images its image is built once", async () => {
  const { calls, release } = await makeClone();
  let isBuilt = false;
  const image = { args: ["--registry", "registry.example"], isBuilt: () => isBuilt };
  const { passed, lines } = await release(urgent, { image });
  expect(passed).toBe(true);
  expect(calls).toEqual([qualifies, "tools/image/main.ts workspace node-red 4.1.16 --registry registry.example"]);
  expect(lines.find((line) => line.startsWith("2/4"))).toContain("Run it when the fleet update has begun");
  isBuilt = true;
  await release(urgent, { image });
  expect(calls).toHaveLength(2);
});

const [newest, older] = releasesOf("n8n").map(({ version }) => version);

/** A service with one workspace on the older release of n8n, as an operator's command opens it. */
async function openFleet(fleet: TestFleet, driver: DriverName = "process") {
  fleet.engine.installed.add(newest!).add(older!);
  fleet.startLoop();
  const id = await fleet.want("acme");
  await fleet.until(id, (row) => row.observedState === "online" && row.leaseOwner === null);
  await fleet.database.db.update(workspaces).set({ desiredVersion: older!, observedVersion: older! }).where(eq(workspaces.id, id));
  const printed: string[] = [];
  const context = {
    config: { engine: "n8n", driver },
    db: fleet.database.db,
    clock: systemClock,
    log: createLog("silent"),
    operator: "ada",
    print: (line: string) => printed.push(line),
  } as unknown as OpsContext;
  const openService: OpenService = async () => ({ context, close: async () => undefined });
  const target: Target = { root: join(import.meta.dirname, "../.."), engine: "n8n", version: newest! };
  // Only the service's half: what is committed in this repository is another test's matter.
  const release = async (options = urgent, isDry = false) =>
    run(listSteps(target, options, { runScript: async () => false, openService }).slice(3), { isDry });
  return { context, printed, target, release, openService };
}

test("the fleet update begins once the program that includes the release runs, and once only", async () => {
  await using fleet = await createTestFleet();
  const { context, printed, target, release, openService } = await openFleet(fleet);
  expect((await release()).lines.at(-1)).toContain("stopped after 0 s. The service does not run. Start it");
  const program = await announceProcess(fleet.database.connection);
  onTestFinished(() => program.release());

  const root = mkdtempSync(join(tmpdir(), "slipway-release-engine-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const path = join(root, `apps/provisioner/engines/n8n/releases/${newest}`);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "release.json"), JSON.stringify({ ...file(newest!, "stable"), engine: "n8n" }));
  utimesSync(join(path, "release.json"), new Date(), new Date(Date.now() + 60_000));
  const early = listSteps({ ...target, root }, urgent, { runScript: async () => false, openService }).slice(3);
  expect((await run(early)).lines.at(-1)).toContain("started before this release was there");
  expect(await listFleetUpdates(fleet.database.db, "n8n", 1)).toEqual([]);

  const dry = await release(urgent, true);
  expect(dry.lines.slice(0, 2)).toEqual([
    "1/2 Run the program that includes it: nothing to do. It runs.",
    `2/2 Update the fleet: would run npm run ops -- update-fleet ${newest} --waves 5,25,100% --soak 10 --reason CVE-2026-1234, as shown above.`,
  ]);
  expect(printed[0]).toBe(`1 workspace to update to ${newest}, in waves of 1. On it already: 0.`);
  expect(await listFleetUpdates(fleet.database.db, "n8n", 1)).toEqual([]);

  expect((await release()).passed).toBe(true);
  const [update] = await listFleetUpdates(fleet.database.db, "n8n", 1);
  expect(update).toMatchObject({ toVersion: newest, soakSeconds: 600, operator: "ada", reason: "CVE-2026-1234" });
  expect((await release()).lines.at(-2)).toContain("Update the fleet: nothing to do. Its fleet update is running.");
  expect(await listFleetUpdates(fleet.database.db, "n8n", 2)).toHaveLength(1);
  await stopFleetUpdate.run(context, { arguments: [], options: {} });
  expect(await release()).toMatchObject({
    passed: false,
    lines: expect.arrayContaining([expect.stringContaining("is stopped. See npm run ops -- fleet-updates")]),
  });
});

test("where workspaces run from images, a worker must have proved that the release's image is there", async () => {
  await using fleet = await createTestFleet();
  const { release } = await openFleet(fleet, "docker");
  expect((await release()).lines.at(-1)).toContain("No worker knows this release with its image yet.");
  const proof = { engine: "n8n", version: newest!, reason: "not found" };
  await notePresence(fleet.database.db, proof, systemClock.now());
  expect((await release()).lines.at(-1)).toContain("Its image is missing: not found.");
  await notePresence(fleet.database.db, { ...proof, reason: null }, systemClock.now());
  const { passed, lines } = await release({ ...urgent, fleet: ["--soak", "20"] });
  expect(passed).toBe(true);
  expect(lines.at(-2)).toContain("Its fleet update is running. How far it is: npm run ops -- fleet-updates");
  const [update] = await listFleetUpdates(fleet.database.db, "n8n", 1);
  expect(update).toMatchObject({ soakSeconds: 1200, reason: null });
});

test("a fleet that has the release already needs no update", async () => {
  await using fleet = await createTestFleet();
  const { release } = await openFleet(fleet, "docker");
  await notePresence(fleet.database.db, { engine: "n8n", version: newest!, reason: null }, systemClock.now());
  await fleet.database.db.update(workspaces).set({ desiredVersion: newest! });
  expect((await release()).lines.at(-2)).toContain("No workspace has to be updated.");
});

test("the service of another engine is left alone, and what update-fleet refuses ends the run", async () => {
  await using fleet = await createTestFleet();
  const { target, release, openService } = await openFleet(fleet, "docker");
  const other = listSteps({ ...target, engine: "node-red", version: releasesOf("node-red")[0]!.version }, usual, {
    runScript: async () => false,
    openService,
  }).slice(3);
  expect((await run(other)).lines.at(-1)).toContain("This service runs n8n (ENGINE).");
  await notePresence(fleet.database.db, { engine: "n8n", version: newest!, reason: null }, systemClock.now());
  expect((await release({ ...urgent, fleet: ["--canaries", "nemo"] })).lines.at(-1)).toMatch(
    /2\/2 Update the fleet: stopped after 0 s\. .*nemo/,
  );
});
