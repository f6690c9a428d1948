/** Measures the gateway against nginx in its place, against no gateway at all, and what it adds to one request. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { BenchRow } from "./bench-row.ts";
import type { LoadOrder } from "./gateway/load.ts";
import { startNginx } from "./gateway/nginx.ts";

/** Short turns, one after the other, so that a neighbour's load falls on all alike. */
const turns = 5;
const turnSeconds = 1.5;
/** CPU of a request that does something, such as a small workflow; most real ones cost more. */
const workMs = 2;

export interface BenchGatewayOptions {
  /** A running workspace to measure in front of; without one a stand-in is started. */
  workspace?: { port: number; path: string };
}

/** Starts everything it needs in processes of its own, measures for about a minute, and stops it all. */
export async function benchGateway({ workspace }: BenchGatewayOptions = {}): Promise<BenchRow[]> {
  const children: ChildProcess[] = [];
  const start = async (file: string, ...args: string[]): Promise<number> => {
    const child = fork(fileURLToPath(new URL(`./gateway/${file}`, import.meta.url)), args);
    children.push(child);
    const [message] = (await once(child, "message")) as [{ port: number }];
    return message.port;
  };
  const load = fork(fileURLToPath(new URL("./gateway/load.ts", import.meta.url)));
  children.push(load);
  const bare = await start("bare-server.ts");
  const working = workspace?.port ?? (await start("bare-server.ts", String(workMs)));
  const nginx = await startNginx(bare);
  try {
    const gateway = await start("gateway-server.ts", `127.0.0.1:${bare}`);
    const gatewayToWorking = await start("gateway-server.ts", `127.0.0.1:${working}`);
    const latency = await measure(load, "median-latency-ms", "/", { direct: bare, gateway });
    const throughput = await measure(load, "requests-per-second", "/", { direct: bare, gateway, ...(nginx ? { nginx: nginx.port } : {}) });
    const worked = await measure(load, "requests-per-second", workspace?.path ?? "/", { direct: working, gateway: gatewayToWorking });
    return [nginxRow(throughput), workRow(worked, workspace !== undefined), latencyRow(latency)];
  } finally {
    for (const child of children) child.kill();
    await nginx?.stop();
  }
}

/** What each server reached, turn by turn. */
type Measured = Record<string, number[]>;

async function measure(load: ChildProcess, kind: LoadOrder["kind"], path: string, ports: Record<string, number>): Promise<Measured> {
  const values: Measured = {};
  for (let turn = 0; turn <= turns; turn += 1) {
    for (const [name, port] of Object.entries(ports)) {
      load.send({ port, path, kind, seconds: turnSeconds } satisfies LoadOrder);
      const [answer] = (await once(load, "message")) as [{ value: number } | { error: string }];
      if ("error" in answer) throw new Error(`measuring ${name} failed: ${answer.error}`);
      // The first turn only warms everything up.
      if (turn > 0) (values[name] ??= []).push(answer.value);
    }
  }
  return values;
}

/** The best turn is the one that neighbours disturbed least: throughput by its highest, latency by its lowest. */
const best = (list: readonly number[], kind: "highest" | "lowest" = "highest"): number => (kind === "highest" ? Math.max(...list) : Math.min(...list));

function nginxRow({ direct, gateway, nginx }: Measured): BenchRow {
  const what = "gateway in front of a bare 1 KB server, against nginx in its place";
  const budget = "≥ 0.5";
  const own = `gateway ${Math.round(best(gateway!))} req/s, direct ${Math.round(best(direct!))} req/s`;
  if (nginx === undefined) return { what, ratio: null, budget, ok: null, detail: `nginx not installed; ${own}` };
  const ratio = best(gateway!) / best(nginx);
  return { what, ratio, budget, ok: ratio >= 0.5, detail: `${own}, nginx ${Math.round(best(nginx))} req/s` };
}

function workRow({ direct, gateway }: Measured, isReal: boolean): BenchRow {
  const ratio = best(gateway!) / best(direct!);
  return {
    what: isReal ? "gateway in front of a real workspace, against it alone" : `gateway in front of a stand-in that works ${workMs} ms a request, against it alone`,
    ratio,
    budget: "≥ 0.95",
    ok: ratio >= 0.95,
    detail: `gateway ${Math.round(best(gateway!))} req/s, direct ${Math.round(best(direct!))} req/s`,
  };
}

function latencyRow({ direct, gateway }: Measured): BenchRow {
  const [through, without] = [best(gateway!, "lowest"), best(direct!, "lowest")];
  const added = through - without;
  return {
    what: "median latency that the gateway adds, one connection",
    ratio: through / without,
    budget: "≤ 1 ms added",
    ok: added <= 1,
    detail: `${added.toFixed(3)} ms added (gateway ${through.toFixed(3)} ms, direct ${without.toFixed(3)} ms)`,
  };
}
