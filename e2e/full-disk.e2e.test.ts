/** The backup storage fills up under the real program: a small separate file system, which only root can mount. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { BackupOverview } from "#contract/workspaces/backup.ts";
import type { WorkspaceUpdate } from "#contract/workspaces/update.ts";
import { installReleases } from "../tools/chaos/engines/install-releases.ts";
import { openLane, type Lane } from "../tools/chaos/lane.ts";
import type { Tenant } from "../tools/chaos/tenant.ts";

const canMount = process.platform === "linux" && process.getuid?.() === 0;
const soon = { timeout: 180_000, interval: 250 };
const noRoom = "There was not enough storage space. Try again later, or contact support.";

let lane: Lane;
let tenant: Tenant;
let disk: string;

beforeAll(async () => {
  if (!canMount) return;
  await installReleases("node-red");
  lane = await openLane({ engine: "node-red", name: "full" });
  tenant = lane.tenants[0]!;
  await lane.hands.place(lane.slipway, tenant.customer, "kept");
  disk = join(lane.slipway.dataDir, "backups");
  mkdirSync(disk, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=512k,mode=0700", "slipway-full-disk", disk]);
});
afterAll(async () => {
  if (disk) execFileSync("umount", ["--lazy", disk]);
  await lane?.[Symbol.asyncDispose]();
});

/** Writes until no more bytes fit; a test that fails leaves room to the next. */
function fill(): void {
  onTestFinished(() => rmSync(join(disk, "filler"), { force: true }));
  const file = openSync(join(disk, "filler"), "w");
  try {
    for (let bytes = 65_536; bytes >= 1; bytes = Math.floor(bytes / 2)) while (writes(file, bytes));
  } finally {
    closeSync(file);
  }
}

function writes(file: number, bytes: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(bytes, 1)) === bytes;
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe("ENOSPC");
    return false;
  }
}

const makeRoom = (): void => rmSync(join(disk, "filler"));
const stored = (): string[] =>
  readdirSync(disk, { recursive: true })
    .map(String)
    .filter((name) => !["filler", "backups"].includes(name));
const call = (method: string, path: string, body?: object) => lane.slipway.call(method, path, { token: tenant.customer.token, body });
const newest = async () => (await call("GET", "/api/export")).json<BackupOverview>().backups[0];
const lastUpdate = async () => (await call("GET", "/api/instance/update")).json<{ update: WorkspaceUpdate | null }>().update;
const held = () => lane.hands.read(lane.slipway, tenant.customer);
const changeVersion = (versionName: string) => call("PUT", "/api/instance/configuration", { versionName });

test.runIf(canMount)(
  "a backup that meets a full disk fails and says so, leaves no half file, and works again once there is room",
  async () => {
    const before = stored();
    fill();
    expect((await call("POST", "/api/export/backups")).status).toBe(202);
    await expect.poll(newest, soon).toMatchObject({ state: "failed", reason: noRoom, isRestorable: false });
    await expect.poll(stored, soon).toEqual(before);
    expect(await held()).toBe("kept");
    makeRoom();
    expect((await call("POST", "/api/export/backups")).status).toBe(202);
    await expect.poll(newest, soon).toMatchObject({ state: "successful", isRestorable: true });
    expect(stored()).toHaveLength(before.length + 1);
  },
);

test.runIf(canMount)(
  "an update whose backup meets a full disk changes nothing and says why, and works again once there is room",
  async () => {
    const { versions, current } = (await call("GET", "/api/instance/versions")).json<{ versions: { name: string }[]; current: string }>();
    const other = versions.find(({ name }) => name !== current)!.name;
    const before = stored();
    fill();
    expect((await changeVersion(other)).status).toBe(202);
    await expect
      .poll(lastUpdate, soon)
      .toMatchObject({ state: "failed", toVersion: other, reason: `No backup could be made before the update. ${noRoom}` });
    await lane.slipway.until(tenant.customer, ({ status, versionName }) => status === 1 && versionName === current);
    await expect.poll(stored, soon).toEqual(before);
    expect(await held()).toBe("kept");
    makeRoom();
    expect((await changeVersion(other)).status).toBe(202);
    await expect.poll(lastUpdate, soon).toMatchObject({ state: "successful", toVersion: other });
    await lane.slipway.until(
      tenant.customer,
      ({ status, versionName, runningVersion }) => status === 1 && versionName === other && !runningVersion,
    );
    expect(await held()).toBe("kept");
  },
);
