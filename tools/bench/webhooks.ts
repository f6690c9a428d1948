/**
 * Measures a workspace under webhooks, through the gateway, against a bare n8n with the same heaps and, if this host limits workspaces, the
 * same limits.
 */
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { workspacePaths } from "#apps/provisioner/drivers/process/storage/workspace-paths.ts";
import { webhookWorkflow } from "#testing/engines/n8n/hook-scene.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { writePlans } from "#testing/payments/write-plans.ts";
import { ask } from "#testing/ask.ts";
import { enginesCacheDir } from "#testing/engines/engines-cache.ts";
import type { BenchRow } from "./bench-row.ts";
import { callAtOnce, part, type Calls } from "./webhooks/call-at-once.ts";
import { startBounded, type BoundedN8n } from "./webhooks/start-bounded.ts";
import { startPanel, type Panel } from "./panel/start-panel.ts";
import { until } from "./panel/until.ts";

/** The two take short turns, so that other load affects both; the median of the turns counts. */
const turns = 9;
const turnSeconds = 3;
const callers = 50;
const path = "/webhook/bench";
/**
 * The plan: with a limit, so that executions are counted and compared with it; 2 GB, since a bare n8n with 1 GB runs out of memory under
 * this many callers.
 */
const sold = { monthlyExecutionsLimit: 10_000_000, memoryMb: 2048 };
const goal = 0.9;

const workflow = webhookWorkflow("bench", undefined, "POST");

/**
 * Calls a webhook with one Code node behind it for about a minute; needs an installed n8n. Not measured if the bare n8n fails under these
 * calls; throws if the workspace does.
 */
export async function benchWebhooks(): Promise<BenchRow> {
  const plansFolder = await mkdtemp(join(tmpdir(), "slipway-bench-plans-"));
  const panel = await startPanel(3430, { ENGINES_DIR: enginesCacheDir, PLANS_FILE: writePlans(plansFolder, sold) });
  let bare: BoundedN8n | undefined;
  try {
    await panel.call("POST", "/api/account/setup", { timezone: "Etc/UTC" });
    await until(async () => (await panel.instance()).status === instanceStatus.online);
    const workspace = `http://bench-works.localhost:${panel.port}`;
    await publish(workspace, await signIn(panel));
    const group = await groupOf(panel);
    bare = await startBounded(group, sold.memoryMb);
    await publish(bare.url, await becomeOwner(bare.url));
    const hosted: Calls[] = [];
    const alone: Calls[] = [];
    for (let turn = 0; turn <= turns; turn += 1) {
      const through = await bare.noting(() => callAtOnce(workspace + path, callers, turnSeconds));
      const direct = await bare.replaying(() => callAtOnce(bare!.url + path, callers, turnSeconds)).catch((error: Error) => error);
      if (direct instanceof Error) return { ...headOf(group), ratio: null, ok: null, detail: await bare.explain(direct) };
      // The first turn only warms up.
      if (turn === 0) continue;
      hosted.push(through);
      alone.push(direct);
    }
    return { ...headOf(group), ...compare(hosted, alone) };
  } finally {
    await bare?.stop();
    await panel.stop();
    await rm(plansFolder, { recursive: true, force: true });
  }
}

/** The name of the one workspace's control groups; undefined if this host has no sandboxes. */
async function groupOf({ dataDir }: Panel): Promise<string | undefined> {
  const folder = join(dataDir, "workspaces");
  for (const id of await readdir(folder)) {
    const text = await readFile(workspacePaths(folder, id).network, "utf8").catch(() => undefined);
    if (text !== undefined) return text.split(" ")[0];
  }
  return undefined;
}

const sessionOf = (headers: { "set-cookie"?: string[] }): string =>
  headers["set-cookie"]?.find((cookie) => cookie.startsWith("n8n-auth="))?.split(";")[0] ?? "";

async function signIn(panel: Panel): Promise<string> {
  const { url } = (await panel.call("GET", "/api/instance/url")).json<{ url: string }>();
  return sessionOf((await ask(url)).headers);
}

async function becomeOwner(url: string): Promise<string> {
  const body = { email: "ada@example.com", firstName: "Ada", lastName: "Lovelace", password: "Correct-horse-7" };
  return sessionOf((await ask(`${url}/rest/owner/setup`, { method: "POST", body })).headers);
}

async function publish(url: string, cookie: string): Promise<void> {
  const post = async (to: string, body: unknown): Promise<{ id: string; versionId: string }> => {
    const answer = await ask(url + to, { method: "POST", headers: { cookie }, body });
    if (answer.status !== 200) throw new Error(`${to}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer.json<{ data: { id: string; versionId: string } }>().data;
  };
  const { id, versionId } = await post("/rest/workflows", workflow);
  await post(`/rest/workflows/${id}/activate`, { versionId });
  await until(async () => (await ask(url + path, { method: "POST", body: {} })).status === 200);
}

const median = (values: number[]): number => values.toSorted((one, other) => one - other)[values.length >> 1]!;

/** Says "the same limits" only on a host that has limits. */
const headOf = (group: string | undefined): Pick<BenchRow, "what" | "budget"> => ({
  what: `${callers} webhooks at once through the gateway, against a bare n8n with the same ${group === undefined ? "heaps; this host sets no bounds" : "bounds on memory and processor time"}`,
  budget: `≥ ${goal}`,
});

/** Turn by turn, each compared with the adjacent one. */
function compare(hosted: Calls[], alone: Calls[]): Pick<BenchRow, "ratio" | "ok" | "detail"> {
  const ratioOf = (of: (calls: Calls) => number): number => median(hosted.map((calls, turn) => of(calls) / of(alone[turn]!)));
  const ratio = ratioOf(({ perSecond }) => perSecond);
  const figures = (all: Calls[]): string => {
    const [half, most] = [0.5, 0.95].map((of) => Math.round(median(all.map(({ times }) => part(times, of)))));
    return `${median(all.map(({ perSecond }) => perSecond)).toFixed(1)} a second, p50 ${half} ms, p95 ${most} ms`;
  };
  const [half, most] = [0.5, 0.95].map((of) => ratioOf(({ times }) => part(times, of)).toFixed(2));
  return {
    ratio,
    ok: ratio >= goal,
    detail: `workspace ${figures(hosted)}; bare ${figures(alone)}; p50 × ${half}, p95 × ${most}`,
  };
}
