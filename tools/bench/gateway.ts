/** Measures the gateway against nginx in its place, against no gateway at all, and what it adds to one request. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { BenchRow } from "./bench-row.ts";
import type { LoadOrder } from "./gateway/load.ts";
import { startNginx } from "./gateway/nginx.ts";

/** Short turns, one after the other, so that a neighbour's load falls on all alike; the median of the turns counts. */
const turns = 5;
const turnSeconds = 1.5;
/** CPU of a request that does something, such as a small workflow; real ones cost more. */
const workMs = 1;

/** Starts everything it needs in processes of its own, measures for about a minute, and stops it all. */
export async function benchGateway(): Promise<BenchRow[]> {
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
  const working = await start("bare-server.ts", String(workMs));
  const nginx = await startNginx(bare);
  try {
    const gateway = await start("gateway-server.ts", `127.0.0.1:${bare}`);
    const gatewayToWorking = await start("gateway-server.ts", `127.0.0.1:${working}`);
    const throughput = await measure(load, "requests-per-second", { direct: bare, gateway, ...(nginx ? { nginx: nginx.port } : {}) });
    const worked = await measure(load, "requests-per-second", { direct: working, gateway: gatewayToWorking });
    const latency = await measure(load, "median-latency-ms", { direct: bare, gateway });
    return [nginxRow(throughput), workRow(worked), latencyRow(latency)];
  } finally {
    for (const child of children) child.kill();
    await nginx?.stop();
  }
}

type Measured = Record<string, number>;

async function measure(load: ChildProcess, kind: LoadOrder["kind"], ports: Record<string, number>): Promise<Measured> {
  const values: Record<string, number[]> = {};
  for (let turn = 0; turn <= turns; turn += 1) {
    for (const [name, port] of Object.entries(ports)) {
      load.send({ port, kind, seconds: turnSeconds } satisfies LoadOrder);
      const [{ value }] = (await once(load, "message")) as [{ value: number }];
      // The first turn only warms everything up.
      if (turn > 0) (values[name] ??= []).push(value);
    }
  }
  return Object.fromEntries(Object.entries(values).map(([name, list]) => [name, list.toSorted((a, b) => a - b)[list.length >> 1]!]));
}

function nginxRow({ direct, gateway, nginx }: Measured): BenchRow {
  const what = "gateway in front of a bare 1 KB server, against nginx in its place";
  const budget = "≥ 0.5";
  const own = `gateway ${Math.round(gateway!)} req/s, direct ${Math.round(direct!)} req/s`;
  if (nginx === undefined) return { what, ratio: null, budget, ok: null, detail: `nginx not installed; ${own}` };
  const ratio = gateway! / nginx;
  return { what, ratio, budget, ok: ratio >= 0.5, detail: `${own}, nginx ${Math.round(nginx)} req/s` };
}

function workRow({ direct, gateway }: Measured): BenchRow {
  const ratio = gateway! / direct!;
  return {
    what: `gateway in front of a server that works ${workMs} ms a request, against that server alone`,
    ratio,
    budget: "≥ 0.95",
    ok: ratio >= 0.95,
    detail: `gateway ${Math.round(gateway!)} req/s, direct ${Math.round(direct!)} req/s`,
  };
}

function latencyRow({ direct, gateway }: Measured): BenchRow {
  const added = gateway! - direct!;
  return {
    what: "median latency that the gateway adds, one connection",
    ratio: gateway! / direct!,
    budget: "≤ 1 ms added",
    ok: added <= 1,
    detail: `${added.toFixed(3)} ms added (gateway ${gateway!.toFixed(3)} ms, direct ${direct!.toFixed(3)} ms)`,
  };
}
