/** Whether the host holds what it should and nothing else: processes, folders, addresses, backup files. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { listProcesses } from "#apps/provisioner/drivers/process/running/process-table.ts";
import { firstUid, processesOf } from "../harm/kill-victim.ts";
import type { Lane } from "../lane.ts";

interface Workspace {
  id: string;
  number: number;
  name: string;
  desired_state: string;
  address: string | null;
}

const list = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** Violations of the whole lane. */
export async function checkHost({ slipway, rows, far }: Lane): Promise<string[]> {
  const workspaces = await rows.ask<Workspace>(
    "select w.id, w.number::int, a.name, w.desired_state, w.address from workspaces w join accounts a on a.id = w.account_id",
  );
  const running = workspaces.filter((workspace) => workspace.desired_state === "running");
  const addresses = running.map(({ address }) => address);
  return [
    ...(await checkProcesses(slipway.dataDir, workspaces)),
    ...checkFolders(slipway.dataDir, workspaces),
    ...(await checkStoredBackups({ slipway, rows, far })),
    ...(new Set(addresses).size === addresses.length ? [] : [`two workspaces have one address: ${addresses.join(", ")}`]),
  ];
}

async function checkProcesses(dataDir: string, workspaces: readonly Workspace[]): Promise<string[]> {
  const violations: string[] = [];
  const known = new Set<number>();
  for (const workspace of workspaces) {
    const pids = await processesOf(dataDir, workspace);
    pids.forEach((pid) => known.add(pid));
    // An engine may have children, but not a second instance.
    const heads = pids.filter((pid) => !pids.includes(parentOf(pid)));
    const expected = workspace.desired_state === "running" ? 1 : 0;
    if (heads.length !== expected)
      violations.push(`${workspace.name}: ${heads.length} processes (${heads.join(", ")}), and should have ${expected}`);
  }
  const first = firstUid(dataDir);
  if (first === undefined) return violations;
  const ours = await listProcesses((_entry, uids) => uids.some((uid) => uid >= first && uid < first + 100_000), true);
  return [...violations, ...ours.filter(({ pid }) => !known.has(pid)).map(({ pid }) => `process ${pid} belongs to no workspace`)];
}

function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return 0;
  }
}

function checkFolders(dataDir: string, workspaces: readonly Workspace[]): string[] {
  const names = list(join(dataDir, "workspaces"));
  const violations: string[] = [];
  for (const { id, name, desired_state: wanted } of workspaces) {
    const mine = names.filter((each) => each.includes(id));
    const expected = wanted === "running" ? [id] : [];
    if (mine.join() !== expected.join())
      violations.push(`${name}: there are the folders [${mine.join(", ")}], and should be [${expected.join(", ")}]`);
  }
  const strange = names.filter((each) => !each.startsWith(".") && !workspaces.some(({ id }) => each === id));
  const staged = list(join(dataDir, "staging"));
  return [
    ...violations,
    ...strange.map((each) => `the folder ${each} belongs to no workspace`),
    ...staged.map((each) => `an opened backup was left behind: staging/${each}`),
  ];
}

async function checkStoredBackups({ slipway, rows, far }: Pick<Lane, "slipway" | "rows" | "far">): Promise<string[]> {
  // Objects in a bucket are checked by opening them through the program, like all stored files.
  if (far) return [];
  const folder = join(slipway.dataDir, "backups", "backups");
  const files = new Set(list(folder));
  const usable = await rows.ask<{ id: string; stored_as: string | null; size: number }>(
    "select id, stored_as, size::float8 as size from backups where state = 'successful'",
  );
  const violations: string[] = [];
  for (const { id, stored_as: storedAs, size } of usable) {
    const file = basename(storedAs ?? id);
    if (!files.delete(file)) violations.push(`backup ${id} is called successful and is not there`);
    else if (statSync(join(folder, file)).size !== size)
      violations.push(`backup ${id} has ${statSync(join(folder, file)).size} bytes, and should have ${size}`);
  }
  return [...violations, ...[...files].map((file) => `${file} among the backups belongs to no successful backup`)];
}
