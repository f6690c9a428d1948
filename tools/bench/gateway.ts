/**
 * Compares the gateway with nginx in its place, with no gateway and with a bare relay: requests, CPU, latency, held WebSockets and large
 * bodies.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { BenchRow } from "./bench-row.ts";
import { cpuMs } from "./gateway/cpu-ms.ts";
import { bytesPerWebSocket } from "./gateway/hold-websockets.ts";
import type { LoadOrder } from "./gateway/load.ts";
import { moveBodies, type Moved } from "./gateway/move-bodies.ts";
import { startNginx } from "./gateway/nginx.ts";

/** Turns one after the other, so that other load affects all alike; the median of the turns counts. */
interface Turns {
  count: number;
  seconds: number;
}
const shortTurns: Turns = { count: 9, seconds: 1 };
/**
 * Each turn opens new connections on both sides, which costs the gateway as much as 2,000 requests: more than a slow
 * workspace answers in a second.
 */
const longTurns: Turns = { count: 6, seconds: 3 };
/** CPU of a small workflow's request; most real ones cost more. */
const workMs = 2;
const webSockets = 1000;

interface BenchGatewayOptions {
  /** A running workspace to measure with; without one a stand-in is started. */
  workspace?: { port: number; path: string };
}

/** Starts everything it needs in separate processes, measures for about two minutes, and stops it all. */
export async function benchGateway({ workspace }: BenchGatewayOptions = {}): Promise<BenchRow[]> {
  const children: ChildProcess[] = [];
  const start = async (file: string, ...args: string[]): Promise<Started> => {
    const child = fork(fileURLToPath(new URL(`./gateway/${file}`, import.meta.url)), args, { execArgv: ["--expose-gc"] });
    children.push(child);
    const [message] = (await once(child, "message")) as [{ port: number }];
    return { port: message.port, pid: child.pid!, child };
  };
  const load = fork(fileURLToPath(new URL("./gateway/load.ts", import.meta.url)));
  children.push(load);
  const bare = await start("bare-server.ts");
  const working = workspace ?? (await start("bare-server.ts", String(workMs)));
  const nginx = await startNginx(bare.port);
  try {
    const gateway = await start("gateway-server.ts", `127.0.0.1:${bare.port}`);
    const gatewayToWorking = await start("gateway-server.ts", `127.0.0.1:${working.port}`);
    // Before the load has made it grow, so that held memory is visible.
    const fresh = await start("gateway-server.ts", `127.0.0.1:${bare.port}`);
    const relay = await start("relay-server.ts", String(bare.port));
    const latency = await measure(load, shortTurns, "median-latency-ms", "/", { direct: bare, gateway });
    const throughput = await measure(load, shortTurns, "requests-per-second", "/", { direct: bare, gateway, ...(nginx ? { nginx } : {}) });
    const workPath = workspace?.path ?? "/";
    const worked = await measure(load, longTurns, "requests-per-second", workPath, { direct: working, gateway: gatewayToWorking });
    return [
      nginxRow(throughput),
      cpuRow(throughput),
      workRow(worked, workspace !== undefined),
      latencyRow(latency),
      webSocketRow(await perWebSocket(fresh), await perWebSocket(relay)),
      bodiesRow(await moveBodies(fresh.child, fresh.port)),
    ];
  } finally {
    for (const child of children) child.kill();
    await nginx?.stop();
  }
}

interface Target {
  port: number;
  pid?: number;
}

interface Started extends Target {
  child: ChildProcess;
}

const perWebSocket = ({ child, port }: Started): Promise<number> => bytesPerWebSocket(child, port, webSockets);

/** What a server reached, turn by turn, and its CPU per request in ms; null where it is unknown. */
interface Reached {
  values: number[];
  cpuMs: (number | null)[];
}
type Measured = Record<string, Reached>;

async function measure(
  load: ChildProcess,
  { count, seconds }: Turns,
  kind: LoadOrder["kind"],
  path: string,
  targets: Record<string, Target>,
): Promise<Measured> {
  const measured: Measured = {};
  for (const name of Object.keys(targets)) measured[name] = { values: [], cpuMs: [] };
  for (let turn = 0; turn <= count; turn += 1) {
    for (const [name, { port, pid }] of Object.entries(targets)) {
      const before = pid === undefined ? null : await cpuMs(pid);
      load.send({ port, path, kind, seconds } satisfies LoadOrder);
      const [answer] = (await once(load, "message")) as [{ value: number } | { error: string }];
      if ("error" in answer) throw new Error(`measuring ${name} failed: ${answer.error}`);
      // The first turn only warms up.
      if (turn === 0) continue;
      const after = pid === undefined ? null : await cpuMs(pid);
      const reached = measured[name]!;
      reached.values.push(answer.value);
      reached.cpuMs.push(before === null || after === null ? null : (after - before) / (answer.value * seconds));
    }
  }
  return measured;
}

const middle = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const median = ({ values }: Reached): number => middle(values);

/** Of two neighbouring turns each, which other load on the machine affects alike. */
const ratioOf = (one: number[], other: number[]): number => middle(one.map((value, turn) => value / other[turn]!));

/** The median of the turns' CPU per request; null if it is unknown. */
function cpuOf({ cpuMs: values }: Reached): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : middle(known);
}

/** In words: how many requests, at what cost. */
function speed(name: string, reached: Reached): string {
  const cpu = cpuOf(reached);
  return `${name} ${Math.round(median(reached))} req/s${cpu === null ? "" : ` at ${cpu.toFixed(3)} ms CPU`}`;
}

function nginxRow({ direct, gateway, nginx }: Measured): BenchRow {
  const what = "gateway in front of a bare 1 KB server, against nginx in its place";
  const budget = "≥ 0.7";
  const own = `${speed("gateway", gateway!)}, ${speed("direct", direct!)}`;
  if (nginx === undefined) return { what, ratio: null, budget, ok: null, detail: `nginx not installed; ${own}` };
  const ratio = ratioOf(gateway!.values, nginx.values);
  return { what, ratio, budget, ok: ratio >= 0.7, detail: `${own}, ${speed("nginx", nginx)}` };
}

function cpuRow({ gateway, nginx }: Measured): BenchRow {
  const what = "CPU of a request through nginx, against one through the gateway";
  const budget = "≥ 0.4";
  const [ours, theirs] = [cpuOf(gateway!), nginx ? cpuOf(nginx) : null];
  if (ours === null || theirs === null) return { what, ratio: null, budget, ok: null, detail: "needs Linux and nginx" };
  const ratio = ratioOf(nginx!.cpuMs as number[], gateway!.cpuMs as number[]);
  return { what, ratio, budget, ok: ratio >= 0.4, detail: `nginx ${theirs.toFixed(3)} ms, gateway ${ours.toFixed(3)} ms` };
}

function workRow({ direct, gateway }: Measured, isReal: boolean): BenchRow {
  const ratio = ratioOf(gateway!.values, direct!.values);
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

function webSocketRow(gateway: number, relay: number): BenchRow {
  const ratio = gateway / relay;
  const kb = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;
  return {
    what: `memory of one of ${webSockets} WebSockets held by the gateway, against a bare relay of sockets`,
    ratio,
    budget: "≤ 1.5",
    ok: ratio <= 1.5,
    detail: `gateway ${kb(gateway)}, relay ${kb(relay)} each`,
  };
}

function bodiesRow({ most, mostOfLarger, downMs, upMs }: Moved): BenchRow {
  const what = "the gateway's most memory while 400 MB pass down and up, against 100 MB";
  const budget = "≤ 1.25";
  const times = `100 MB down in ${Math.round(downMs)} ms, up in ${Math.round(upMs)} ms`;
  if (most === null || mostOfLarger === null) return { what, ratio: null, budget, ok: null, detail: `only Linux tells; ${times}` };
  const ratio = mostOfLarger / most;
  const mb = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;
  return { what, ratio, budget, ok: ratio <= 1.25, detail: `${mb(mostOfLarger)} against ${mb(most)}; ${times}` };
}
