/** Measures the gateway against nginx in its place, against no gateway, and the latency it adds to one request. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { BenchRow } from "./bench-row.ts";
import { cpuMs } from "./gateway/cpu-ms.ts";
import type { LoadOrder } from "./gateway/load.ts";
import { startNginx } from "./gateway/nginx.ts";

/** Short turns, one after the other, so that other load affects all alike; the median of the turns counts. */
const turns = 9;
const turnSeconds = 1;
/** CPU of a small workflow's request; most real ones cost more. */
const workMs = 2;

export interface BenchGatewayOptions {
  /** A running workspace to measure with; without one a stand-in is started. */
  workspace?: { port: number; path: string };
}

/** Starts everything it needs in separate processes, measures for about a minute, and stops it all. */
export async function benchGateway({ workspace }: BenchGatewayOptions = {}): Promise<BenchRow[]> {
  const children: ChildProcess[] = [];
  const start = async (file: string, ...args: string[]): Promise<Target> => {
    const child = fork(fileURLToPath(new URL(`./gateway/${file}`, import.meta.url)), args);
    children.push(child);
    const [message] = (await once(child, "message")) as [{ port: number }];
    return { port: message.port, pid: child.pid! };
  };
  const load = fork(fileURLToPath(new URL("./gateway/load.ts", import.meta.url)));
  children.push(load);
  const bare = await start("bare-server.ts");
  const working = workspace ?? (await start("bare-server.ts", String(workMs)));
  const nginx = await startNginx(bare.port);
  try {
    const gateway = await start("gateway-server.ts", `127.0.0.1:${bare.port}`);
    const gatewayToWorking = await start("gateway-server.ts", `127.0.0.1:${working.port}`);
    const latency = await measure(load, "median-latency-ms", "/", { direct: bare, gateway });
    const throughput = await measure(load, "requests-per-second", "/", { direct: bare, gateway, ...(nginx ? { nginx } : {}) });
    const worked = await measure(load, "requests-per-second", workspace?.path ?? "/", { direct: working, gateway: gatewayToWorking });
    return [nginxRow(throughput), workRow(worked, workspace !== undefined), latencyRow(latency)];
  } finally {
    for (const child of children) child.kill();
    await nginx?.stop();
  }
}

interface Target {
  port: number;
  pid?: number;
}

/** What a server reached, turn by turn, and its CPU per request; null if unknown. */
interface Reached {
  values: number[];
  cpuMs: number | null;
}
type Measured = Record<string, Reached>;

async function measure(load: ChildProcess, kind: LoadOrder["kind"], path: string, targets: Record<string, Target>): Promise<Measured> {
  const measured: Measured = {};
  for (const [name, { pid }] of Object.entries(targets)) measured[name] = { values: [], cpuMs: pid === undefined ? null : 0 };
  for (let turn = 0; turn <= turns; turn += 1) {
    for (const [name, { port, pid }] of Object.entries(targets)) {
      const before = pid === undefined ? null : await cpuMs(pid);
      load.send({ port, path, kind, seconds: turnSeconds } satisfies LoadOrder);
      const [answer] = (await once(load, "message")) as [{ value: number } | { error: string }];
      if ("error" in answer) throw new Error(`measuring ${name} failed: ${answer.error}`);
      // The first turn only warms up.
      if (turn === 0) continue;
      const after = pid === undefined ? null : await cpuMs(pid);
      const reached = measured[name]!;
      reached.values.push(answer.value);
      const spent = before === null || after === null ? null : (after - before) / (answer.value * turnSeconds);
      reached.cpuMs = spent === null || reached.cpuMs === null ? null : reached.cpuMs + spent / turns;
    }
  }
  return measured;
}

const median = ({ values }: Reached): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** In words: how many requests, at what cost. */
function speed(name: string, reached: Reached): string {
  const cost = reached.cpuMs === null ? "" : ` at ${reached.cpuMs.toFixed(3)} ms CPU`;
  return `${name} ${Math.round(median(reached))} req/s${cost}`;
}

function nginxRow({ direct, gateway, nginx }: Measured): BenchRow {
  const what = "gateway in front of a bare 1 KB server, against nginx in its place";
  const budget = "≥ 0.5";
  const own = `${speed("gateway", gateway!)}, ${speed("direct", direct!)}`;
  if (nginx === undefined) return { what, ratio: null, budget, ok: null, detail: `nginx not installed; ${own}` };
  const ratio = median(gateway!) / median(nginx);
  return { what, ratio, budget, ok: ratio >= 0.5, detail: `${own}, ${speed("nginx", nginx)}` };
}

function workRow({ direct, gateway }: Measured, isReal: boolean): BenchRow {
  const ratio = median(gateway!) / median(direct!);
  return {
    what: isReal
      ? "gateway in front of a real workspace, against it alone"
      : `gateway in front of a stand-in that works ${workMs} ms a request, against it alone`,
    ratio,
    budget: "≥ 0.95",
    ok: ratio >= 0.95,
    detail: `${speed("gateway", gateway!)}, ${speed("direct", direct!)}`,
  };
}

function latencyRow({ direct, gateway }: Measured): BenchRow {
  const [through, without] = [median(gateway!), median(direct!)];
  const added = through - without;
  return {
    what: "median latency that the gateway adds, one connection",
    ratio: through / without,
    budget: "≤ 1 ms added",
    ok: added <= 1,
    detail: `${added.toFixed(3)} ms added (gateway ${through.toFixed(3)} ms, direct ${without.toFixed(3)} ms)`,
  };
}
