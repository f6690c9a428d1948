/** The real product with two real tenants: one attacks, the other is its neighbour. */
import { randomBytes } from "node:crypto";
import { chownSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pack } from "tar-stream";
import type { StoragePlace } from "#apps/provisioner/drivers/driver.ts";
import { lowestUid } from "#apps/provisioner/drivers/process/host/first-uid.ts";
import { createProcessDriver, type ProcessDriver } from "#apps/provisioner/drivers/process/create-process-driver.ts";
import type { HostPlaces } from "#apps/provisioner/drivers/container/launch-order.ts";
import { dataInView, placesInView } from "#apps/provisioner/drivers/process/sandbox/view-places.ts";
import { workspacePaths } from "#apps/provisioner/drivers/process/storage/workspace-paths.ts";
import { webhookWorkflow } from "#testing/engines/n8n/hook-scene.ts";
import { writePlans } from "#testing/payments/write-plans.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { ask, type Answer } from "#testing/ask.ts";
import { loginLink, signInToN8n } from "#testing/engines/n8n/n8n-owner.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import { doorsWorkflow, type Door } from "./doors.ts";
import { eventually } from "./eventually.ts";
import { environmentOf, n8nOf } from "./host-view.ts";
import { reachableEngines } from "./reachable-engines.ts";

export interface Tenant {
  customer: Customer;
  workspaceId: string;
  /** The workspace's own user, found as the owner of its folder. */
  uid: number;
  /** `{{folder}}`, on the host. */
  folder: string;
  /** The URL for visitors. */
  url: string;
}

/** The output of one run of a chain of nodes. */
type Said = Record<string, unknown>;

export interface Scene {
  slipway: Slipway;
  driver: ProcessDriver;
  attacker: Tenant;
  neighbour: Tenant;
  enginesDir: string;
  /** A path of this host as workspaces see it, and the attacker's as it is on the host: data, engines and Node have other places inside. */
  inside(path: string): string;
  onHost(path: string): string;
  /** WORKSPACE_MEMORY_MB, the same for both. */
  memoryMb: number;
  /** Secrets that only its owner may ever learn: text in files, environments and memory, by name. */
  secrets: ReadonlyMap<string, string>;
  /** An unused link of the neighbour's owner, made when the scene was set up. */
  oldLink: { url: string; madeAtMs: number };
  /** Makes a tenant's n8n use one of its doors. Rejects if the workspace does not answer. */
  runInside(tenant: Tenant, door: Door, payload: object): Promise<Said>;
  /** Runs a shell command as the attacker; returns its output and exit code. */
  shell(command: string): Promise<{ text: string; code: number }>;
  /** Runs a script in the attacker's n8n process. */
  script(code: string, given?: unknown): Promise<unknown>;
  /** Every answer to the attacker since the last call. */
  heard(): string;
  callNeighbour(): Promise<Answer>;
  /** How often a door was used. */
  runs(): number;
  /** Waits until the attacker's n8n is back, if an attack ended it. */
  revive(): Promise<void>;
  /** Restarts the program, once, so that workspaces may sleep. False if this host freezes none. */
  letSleep(): Promise<boolean>;
  close(): Promise<void>;
}

const memoryMb = 1024;
/** A trial's thousand executions would end a storm of calls before its workspace could be harmed by it. */
export const executionsLimit = 1_000_000;
const bootTimeoutMs = 180_000;
const custom = ".n8n/custom";

/** Starts everything, signs both owners in and activates the attacker's doors. */
export async function setScene(): Promise<Scene> {
  const engines = reachableEngines();
  const canary = { program: secret(), key: secret(), file: secret() };
  const plansFolder = mkdtempSync(join(tmpdir(), "slipway-attack-plans-"));
  const env: Record<string, string> = {
    PLANS_FILE: writePlans(plansFolder, { monthlyExecutionsLimit: executionsLimit }),
    ENGINES_DIR: engines.dir,
    WORKSPACE_MEMORY_MB: String(memoryMb),
    SLIPWAY_CANARY: canary.program,
    SECRET_KEY: canary.key,
    TEMPLATES_URL: "off",
    CALLS_PER_MINUTE: "6000",
    // On a slow machine the attacks take longer than a trial stays awake, and harm to a frozen neighbour would go unnoticed. `letSleep`
    // ends this.
    WORKSPACE_SLEEP: "off",
  };
  const slipway = await startSlipway({ engine: "n8n", env });
  const driver = createProcessDriver({
    workspacesDir: join(slipway.dataDir, "workspaces"),
    places: { enginesDir: engines.dir, nodeBinary: process.execPath },
    log: createLog("silent"),
    clock: systemClock,
  });
  const close = async (): Promise<void> => {
    await slipway.close();
    rmSync(plansFolder, { recursive: true });
    engines.release();
  };
  try {
    const attacker = await launch(slipway, "mallory");
    const neighbour = await launch(slipway, "bob");
    // After the restart one is kept ready for the next customer; until then all folders of workspaces belong to the two tenants.
    Object.assign(env, { WORKSPACE_POOL: "1", WORKSPACE_ZRAM_MB: "1024" });
    await plant(slipway, driver, attacker);
    for (const { customer } of [attacker, neighbour]) await slipway.until(customer, isOnline, bootTimeoutMs);
    const marker = join(neighbour.folder, "marker.txt");
    writeFileSync(marker, canary.file, { mode: 0o600 });
    chownSync(marker, neighbour.uid, neighbour.uid);
    const secrets = new Map([
      ["the program's environment", canary.program],
      ["the secret key", canary.key],
      ["the neighbour's file", canary.file],
      ...neighbourSecrets(neighbour),
    ]);
    const doorKey = randomBytes(6).toString("hex");
    await activate(slipway, attacker, doorsWorkflow(doorKey), `${doorKey}-module`);
    await activate(slipway, neighbour, echo, "echo");
    const oldLink = { url: await loginLink(slipway, neighbour.customer), madeAtMs: Date.now() };
    return {
      slipway,
      driver,
      attacker,
      neighbour,
      enginesDir: engines.dir,
      ...pathsOf(attacker, { enginesDir: engines.dir, nodeBinary: process.execPath }),
      memoryMb,
      secrets,
      oldLink,
      async letSleep() {
        if (env["WORKSPACE_SLEEP"] !== "auto") {
          env["WORKSPACE_SLEEP"] = "auto";
          await slipway.signal("SIGTERM");
          await slipway.start();
        }
        return slipway.output().includes("idle workspaces are frozen");
      },
      close,
      ...voices(attacker, neighbour, doorKey),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function pathsOf({ folder }: Tenant, host: HostPlaces): Pick<Scene, "inside" | "onHost"> {
  const view = placesInView(host);
  const pairs = [
    [folder, dataInView],
    [host.enginesDir, view.enginesDir],
    [host.nodeBinary, view.nodeBinary],
  ] as const;
  const moved = (path: string, ways: readonly (readonly [from: string, to: string])[]): string => {
    const way = ways.find(([from]) => path === from || path.startsWith(`${from}/`));
    return way ? way[1] + path.slice(way[0].length) : path;
  };
  return {
    inside: (path) => moved(path, pairs),
    onHost: (path) =>
      moved(
        path,
        pairs.map(([host, view]) => [view, host]),
      ),
  };
}

const secret = (): string => `canary-${randomBytes(24).toString("hex")}`;
const isOnline = ({ status }: { status: number }): boolean => status === instanceStatus.online;

function voices(
  attacker: Tenant,
  neighbour: Tenant,
  doorKey: string,
): Pick<Scene, "runInside" | "shell" | "script" | "heard" | "runs" | "revive" | "callNeighbour"> {
  let said = "";
  let runs = 0;
  const runInside: Scene["runInside"] = async (tenant, door, payload) => {
    const answer = await ask(`${tenant.url}/webhook/${doorKey}-${door}`, { method: "POST", body: payload, timeoutMs: 60_000 });
    said += answer.text;
    runs += 1;
    // The answer of a workflow that failed or returned nothing.
    if (answer.status === 500) return { error: answer.text.slice(0, 300) };
    if (answer.status !== 200) throw new Error(`the attacker's n8n answers ${answer.status}: ${answer.text.slice(0, 300)}`);
    return answer.text === "" ? {} : answer.json<Said>();
  };
  const script: Scene["script"] = async (code, given = {}) => resultOf(await runInside(attacker, "module", { script: code, given }));
  return {
    runInside,
    script,
    revive: async () =>
      void (await eventually(
        "the attacker's n8n after its attack",
        () => script("return true").catch(() => undefined),
        bootTimeoutMs,
        500,
      )),
    shell: async (command) => {
      const wrapped = `{ timeout -s KILL 30 sh -c "$(echo ${Buffer.from(command).toString("base64")} | base64 -d)"; } 2>&1; echo "<$?>"`;
      const text = textOf((await runInside(attacker, "command", { command: wrapped })) as { stdout?: unknown; error?: unknown });
      const code = /<(\d+)>\s*$/.exec(text)?.[1];
      if (code === undefined) throw new Error(`the attacker's shell did not come to its end: ${text.slice(-300)}`);
      return { text: text.replace(/\n?<\d+>\s*$/, ""), code: Number(code) };
    },
    heard: () => {
      const text = said;
      said = "";
      return text;
    },
    runs: () => runs,
    callNeighbour: () => ask(`${neighbour.url}/webhook/echo`, { timeoutMs: 30_000 }),
  };
}

/** An attack that failed for its own reasons proves nothing. */
export function resultOf(said: Said): unknown {
  const { result } = said;
  const error = result === undefined ? (said["error"] ?? said) : (result as { error?: unknown } | null)?.error;
  if (error !== undefined) throw new Error(`the attacker's script failed: ${JSON.stringify(error)}`);
  return result;
}

const textOf = ({ stdout, error }: { stdout?: unknown; error?: unknown }): string =>
  typeof stdout === "string" && stdout !== "" ? stdout : typeof error === "string" ? error : JSON.stringify(error ?? "");

/** A workspace whose process was started; it may not answer yet. */
async function launch(slipway: Slipway, accountName: string): Promise<Tenant> {
  const workspacesDir = join(slipway.dataDir, "workspaces");
  const before = new Set(readdirSync(workspacesDir));
  const customer = await slipway.launch({ accountName });
  return eventually("a process of the workspace", async () => {
    const workspaceId = readdirSync(workspacesDir).find((name) => !before.has(name) && !name.startsWith("."));
    if (workspaceId === undefined) return undefined;
    const { data: folder } = workspacePaths(workspacesDir, workspaceId);
    const uid = statSync(folder, { throwIfNoEntry: false })?.uid ?? 0;
    return uid >= lowestUid && n8nOf(uid) ? { customer, workspaceId, folder, uid, url: slipway.workspaceUrl(accountName) } : undefined;
  });
}

/** Secrets in the environment, and therefore in the memory, of the neighbour's n8n. */
function neighbourSecrets({ uid }: Tenant): [string, string][] {
  const env = environmentOf(n8nOf(uid)?.pid ?? 0);
  return ["N8N_ENCRYPTION_KEY", "SLIPWAY_LOGIN_KEY"].map((name) => {
    if (!env[name]) throw new Error(`the neighbour's ${name} is not to be found from outside`);
    return [`the neighbour's ${name}`, env[name]];
  });
}

/** A workspace's user is its number above a multiple of 100,000. */
export const placeOf = ({ workspaceId, uid }: Tenant): StoragePlace => ({ workspaceId, workspaceNumber: uid % 100_000 });

/** Puts the hostile module into the attacker's folder, as the driver puts files there, and restarts everything. */
async function plant(slipway: Slipway, driver: ProcessDriver, attacker: Tenant): Promise<void> {
  await slipway.signal("SIGINT");
  const archive = pack();
  const folder = { type: "directory", mode: 0o755 } as const;
  archive.entry({ name: ".n8n/", ...folder });
  archive.entry({ name: `${custom}/`, ...folder });
  archive.entry({ name: `${custom}/Shell.node.js`, mode: 0o644 }, readFileSync(new URL("hostile-module.cjs", import.meta.url)));
  archive.finalize();
  await driver.replaceStorage(placeOf(attacker), [custom], Readable.from(archive, { objectMode: false }));
  await slipway.start();
}

const echo = webhookWorkflow("echo", {
  name: "Set",
  type: "n8n-nodes-base.set",
  typeVersion: 3.4,
  parameters: { assignments: { assignments: [{ id: "a", name: "echo", value: "bob", type: "string" }] } },
});

/** A plan allows only so many active workflows. */
export async function deactivate(slipway: Slipway, { customer, url }: Tenant, workflowId: string): Promise<void> {
  const headers = { cookie: await signInToN8n(slipway, customer) };
  const answer = await ask(`${url}/rest/workflows/${workflowId}/deactivate`, { method: "POST", headers, body: {} });
  if (answer.status !== 200) throw new Error(`the deactivation was answered ${answer.status} ${answer.text.slice(0, 500)}`);
}

/** Creates a workflow, activates it, and waits until its webhook or, with a path from the root, its form exists. Returns its id. */
export async function activate(slipway: Slipway, { customer, url }: Tenant, workflow: object, path: string): Promise<string> {
  const cookie = await signInToN8n(slipway, customer);
  const post = async (to: string, body: object): Promise<{ id: string; versionId: string }> => {
    const answer = await ask(url + to, { method: "POST", headers: { cookie }, body });
    if (answer.status !== 200) throw new Error(`${to}: ${answer.status} ${answer.text.slice(0, 500)}`);
    return answer.json<{ data: { id: string; versionId: string } }>().data;
  };
  const { id, versionId } = await post("/rest/workflows", workflow);
  await post(`/rest/workflows/${id}/activate`, { versionId });
  const address = url + (path.startsWith("/") ? path : `/webhook/${path}`);
  await eventually(`the webhook ${path}`, async () => {
    if (path.startsWith("/")) return (await ask(address)).status === 200 || undefined;
    const answers = await Promise.all([ask(address), ask(address, { method: "POST", body: { script: "return 1" } })]);
    return answers.find(({ status }) => status === 200);
  });
  return id;
}
