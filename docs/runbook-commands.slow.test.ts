/**
 * The commands of the runbooks are what an operator copies on a bad day, so they are copied here, from the page: each block that has the
 * comment `<!-- walked: … -->` above it is run, in a scratch folder in which `data` is a data folder as the page supposes it.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { leaveDisks } from "#testing/containers/own-mounts.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { findSandboxTools } from "#apps/provisioner/drivers/process/sandbox/sandbox-tools.ts";

const isPossible = process.platform === "linux" && process.getuid?.() === 0 && findSandboxTools().tools !== undefined;
const folder = join(import.meta.dirname, "runbooks");

/** Blocks by the name in their comment. */
const blocks = new Map(
  readdirSync(folder).flatMap((page) =>
    [...readFileSync(join(folder, page), "utf8").matchAll(/^<!-- walked: (.+) -->\n```\w*\n([^]*?)^```$/gm)].map(
      (match) => [match[1]!, match[2]!.trim()] as const,
    ),
  ),
);
const walked = new Set<string>();

/**
 * Runs the block in `cwd`, with separate mounts: a page that mounts something below /mnt must not do so here. `{id}` is the workspace's.
 */
function walk(name: string, cwd: string, { id = "", input = "", network = false } = {}): string {
  const commands = blocks.get(name);
  if (commands === undefined) throw new Error(`no page has a block called "${name}"`);
  walked.add(name);
  const keep = basename(dirname(slipway.dataDir)).split(" ").at(-1);
  const own = ["--mount", ...(network ? ["--net"] : [])];
  return execFileSync(
    "unshare",
    [...own, "/bin/bash", "-eu", "-c", `keep=${keep}\n${leaveDisks}set -o pipefail\n${commands.replaceAll("{id}", id)}`],
    {
      cwd,
      encoding: "utf8",
      input,
      timeout: 20_000,
    },
  );
}

let slipway: Slipway;
let cwd: string;
let id: string;
beforeAll(async () => {
  if (!isPossible) return;
  slipway = await startSlipway();
  cwd = dirname(slipway.dataDir);
  const customer = await slipway.launch();
  await slipway.until(customer, ({ status }) => status === instanceStatus.online);
  id = readdirSync(join(slipway.dataDir, "workspaces")).find((name) => !name.startsWith("."))!;
});
afterAll(() => slipway?.close());

test.runIf(isPossible)("beside a running program: its database is entered, its workspaces are listed", () => {
  expect(walk("into the database", cwd, { input: "select count(*) from workspaces;" })).toMatch(/^\s*1$/m);
  expect(walk("list workspaces", cwd)).toContain("bin/n8n start");
});

test.runIf(isPossible)(
  "with everything stopped: the host is backed up, unpacked beside, and a disk is looked into, checked and put back",
  async () => {
    await slipway.signal("SIGINT");
    expect(walk("list workspaces", cwd)).not.toContain(slipway.dataDir);
    walk("back up the host", cwd);
    walk("restore the host beside", cwd);
    const restored = readdirSync(cwd).find((name) => name.startsWith("slipway-restored"))!;
    expect(readdirSync(join(cwd, restored, "data", "workspaces")).toSorted()).toEqual(
      readdirSync(join(cwd, "data", "workspaces")).toSorted(),
    );
    expect(readFileSync(join(cwd, restored, "data", "workspaces", ".first-uid"), "utf8")).toBe(
      readFileSync(join(cwd, "data", "workspaces", ".first-uid"), "utf8"),
    );
    expect(walk("look into a disk", cwd, { id })).toMatch(/config|boots|\.n8n/);
    expect(walk("check a disk", cwd, { id })).toMatch(/Pass 5/);
  },
);

test.runIf(isPossible)("a host's own rules are loaded without those of workspaces being flushed", () => {
  const scratch = mkdtempSync(join(tmpdir(), "slipway-rules-"));
  blocks.set(
    "see both tables",
    `nft add table inet slipway\n${["", ""].map(() => `nft -f - <<'END'\n${blocks.get("rules without a flush")}\nEND`).join("\n")}\nnft list ruleset`,
  );
  walked.add("rules without a flush");
  const listed = walk("see both tables", scratch, { network: true });
  rmSync(scratch, { recursive: true });
  expect(listed).toContain("table inet slipway");
  expect(listed.match(/tcp dport 22 accept/g)).toHaveLength(1);
});

test.runIf(isPossible)("no block is marked as walked that is not", () => {
  expect([...blocks.keys()].filter((name) => !walked.has(name))).toEqual(["see both tables"].filter((name) => !walked.has(name)));
});
