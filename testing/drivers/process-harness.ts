/** A host for tests of the process driver: a temporary folder, and workspaces that report what they see. */
import { readdirSync } from "node:fs";
import { chmod, copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "#platform/clock.ts";
import { readKernelFile } from "#platform/host/kernel-file.ts";
import { createLog } from "#platform/log.ts";
import type { DriverHarness, WorkspaceReport } from "./driver-harness.ts";
import { actThrough, reportingActs, type Act } from "./reporting-acts.ts";
import {
  createProcessDriver,
  type ProcessDriver,
  type ProcessDriverOptions,
} from "#apps/provisioner/drivers/process/create-process-driver.ts";

interface ProcessReport extends WorkspaceReport {
  uid: number;
  gid: number;
  groups: number[];
  /** As the workspace itself sees it. */
  pid: number;
  grandchildren: number[];
}

export interface ProcessHarness extends DriverHarness {
  driver: ProcessDriver;
  workspacesDir: string;
  report(workspaceId: string): Promise<ProcessReport>;
  /** The workspace's own process and its children, with this host's ids. */
  processes(workspaceId: string): Promise<{ own: number; grandchildren: number[] }>;
  act: Act;
}

/** Ready in 50 ms on a quiet machine. */
const answerTimeoutMs = 60_000;

/** The folder's name contains a space, and all users can reach it; otherwise there would be no isolation to test. */
export async function makeProcessHarness(options: Partial<ProcessDriverOptions> = {}): Promise<ProcessHarness> {
  const host = await mkdtemp(path.join(tmpdir(), "slipway drivers-"));
  await chmod(host, 0o755);
  const script = path.join(host, "reporting-workspace.mjs");
  await copyFile(path.join(import.meta.dirname, "reporting-workspace.mjs"), script);
  await chmod(script, 0o644);
  const workspacesDir = path.join(host, "workspaces");
  const create = (): ProcessDriver =>
    createProcessDriver({
      workspacesDir,
      log: createLog("silent"),
      clock: systemClock,
      readablePaths: [process.execPath, script],
      ...options,
    });
  const driver = create();
  const act = actThrough(driver, { timeoutMs: answerTimeoutMs });
  const report = async (workspaceId: string) => (await act(workspaceId, "report")) as ProcessReport;
  const processes = async (workspaceId: string) => {
    const { pid, uid, grandchildren } = await report(workspaceId);
    return { own: hostPid(uid, pid), grandchildren: grandchildren.map((each) => hostPid(uid, each)) };
  };
  return {
    driver,
    restarted: create,
    workspacesDir,
    act,
    report,
    processes,
    command: [process.execPath, script],
    ...reportingActs(act),
    crash: async (workspaceId) => void process.kill((await processes(workspaceId)).own, "SIGKILL"),
    sayReady: async (workspaceId, times) => void (await act(workspaceId, "say-ready", { times })),
    close: async () => {
      await driver.stopAll();
      await rm(host, { recursive: true, force: true });
    },
  };
}

/** The host's id of the process that is `pid` in this user's sandbox, or outside of one. */
function hostPid(uid: number, pid: number): number {
  const statuses = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readKernelFile(`/proc/${name}/status`));
  const found = statuses.find(
    (status) => new RegExp(`^Uid:\t${uid}\t`, "m").test(status) && new RegExp(`^NSpid:.*\t${pid}$`, "m").test(status),
  );
  return Number(/^Pid:\t(\d+)/m.exec(found ?? "")?.[1] ?? pid);
}
