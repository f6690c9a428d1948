/** An API server that hangs: it accepts connections and does not answer, or stops in the middle. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener, type Server as HttpServer } from "node:http";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { buildRunSpec } from "#testing/drivers/driver-harness.ts";
import { listenAsCluster } from "#testing/cluster/listen-as-cluster.ts";
import { hourMs, systemClock } from "#platform/clock.ts";
import type { Driver } from "../driver.ts";
import { createKubernetesDriver } from "./create-kubernetes-driver.ts";
import type { ClusterLimits } from "./limited-calls.ts";

const limits: ClusterLimits = { questionMs: 200, changeMs: 300, silenceMs: 400 };
/** The limit if the server answers first: even a busy machine answers within this time. */
const patient: ClusterLimits = { questionMs: 6_000, changeMs: 6_000, silenceMs: 2_000 };

let server: Server;
const sockets = new Set<Socket>();
afterEach(() => {
  server.close();
  sockets.forEach((socket) => socket.destroy());
});

/** `fetch` is the script of the program that fetches the credentials. */
async function driverOver(made: Server, within = limits, fetch?: string): Promise<Driver> {
  server = made.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  const options = await listenAsCluster(server);
  if (fetch) options.config.users = [{ name: "u", exec: { command: "/bin/sh", args: ["-c", fetch] } }];
  return createKubernetesDriver({ ...options, clock: systemClock, limits: within });
}
// It reads, so that it notices when a caller leaves.
const silent = () => driverOver(createServer((socket) => void socket.resume()));
const answering = (answer: RequestListener, prepare: (http: HttpServer) => void = () => undefined, within = patient) => {
  const http = createHttpServer(answer);
  prepare(http);
  return driverOver(http, within);
};
/** Where a late answer would end in the same way. */
const answeringBriefly = (answer: RequestListener) => answering(answer, undefined, { ...limits, questionMs: 1_000 });

const spec = buildRunSpec({ image: "stand-in:1", command: ["/bin/true"] });
const { workspaceId } = spec;
const unanswered = /did not answer.* took longer than \d+ ms/;

describe("an API server that accepts connections and does not answer", () => {
  const calls: Record<string, (driver: Driver) => Promise<unknown>> = {
    "a start": (driver) => driver.ensure(spec),
    "a stop": (driver) => driver.ensure({ ...spec, run: false }),
    "a look": (driver) => driver.observe(workspaceId),
    "the list of what runs": (driver) => driver.listRunning(),
    "a reassignment": (driver) => driver.reassign!(spec),
    "a removal": (driver) => driver.remove(workspaceId),
    output: (driver) => driver.logs(workspaceId, 1_000),
    "a measurement": (driver) => driver.usage!([workspaceId]),
    "reading files": (driver) => driver.readStorage(spec, ["a"]).then(buffer),
    "replacing files": (driver) => driver.replaceStorage(spec, ["a"], Readable.from([])),
    "bringing images": (driver) => driver.keepImages!(["n8n:1"]),
  };
  test.each(Object.entries(calls))("fails %s within its time limit, and keeps no connection open", async (_what, call) => {
    await expect(call(await silent())).rejects.toThrow(unanswered);
    await expect.poll(() => sockets.size).toBe(0);
  });

  test("is reported as a problem of the host, until it answers", async () => {
    const driver = await silent();
    expect(await driver.holdHost!()).toEqual([{ kind: "cluster", detail: expect.stringMatching(unanswered) }]);
  });

  test("does not delay one workspace for another: a hundred looks wait at the same time", async () => {
    const driver = await driverOver(
      createServer((socket) => void socket.resume()),
      { ...limits, questionMs: hourMs },
    );
    const looks = Array.from({ length: 100 }, (_, index) => driver.observe(`w-${index}`));
    await expect.poll(() => sockets.size).toBe(100);
    sockets.forEach((socket) => socket.destroy());
    const ended = await Promise.allSettled(looks);
    expect(ended.filter(({ status }) => status === "rejected")).toHaveLength(100);
  });

  test("is asked again for the list of pods, with which their watch begins", async () => {
    let asked = 0;
    const driver = await driverOver(createServer((socket) => void socket.resume()).on("connection", () => (asked += 1)));
    const end = driver.watch(() => undefined);
    await expect.poll(() => asked).toBeGreaterThan(1);
    end();
  });
});

describe("an API server that hangs in the middle", () => {
  test("of an answer is not waited for", async () => {
    const driver = await answeringBriefly((_request, response) => {
      response.setHeader("content-type", "application/json");
      response.writeHead(200).write('{"kind": "PodList", "items": [');
    });
    await expect(driver.listRunning()).rejects.toThrow(unanswered);
  });

  test("of a refusal is not waited for either", async () => {
    const driver = await answeringBriefly((_request, response) => void response.writeHead(500).write('{"message": "'));
    await expect(driver.listRunning()).rejects.toThrow(unanswered);
  });

  test("while a connection to a pod is opened fails the reading of its files", async () => {
    const driver = await answering(showRunning, (http) => http.on("upgrade", (_request, socket: Socket) => noticeEnd(socket)));
    await expect(driver.readStorage(spec, ["a"]).then(buffer)).rejects.toThrow(/could not be opened: Opening handshake has timed out/);
    await expect.poll(() => sockets.size).toBe(0);
  });

  test("while files are read fails the reading, but not while it waits for a slow reader", async () => {
    const driver = await answering(showRunning, (http) =>
      http.on("upgrade", ({ headers }, socket: Socket) => {
        accept(socket, headers["sec-websocket-key"]!);
        // More than a reader's share, so that a reader who pauses blocks it.
        for (let sent = 0; sent < 64; sent += 1) socket.write(frame(Buffer.alloc(32 * 1024, 1)));
        noticeEnd(socket);
      }),
    );
    const files = await driver.readStorage(spec, ["a"]);
    await once(files, "readable");
    await sleep(3 * patient.silenceMs);
    expect(files.errored).toBeNull();
    await expect(buffer(files)).rejects.toThrow(/silent: its next output took longer than 2000 ms/);
    await expect.poll(() => sockets.size).toBe(0);
  });
});

describe("a program that fetches the credentials", () => {
  test("and hangs fails the call within its time limit, and is ended with everything it started", async () => {
    let asked = 0;
    const http = createHttpServer(() => (asked += 1));
    const folder = await mkdtemp(join(tmpdir(), "slipway-credentials-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const started = join(folder, "started");
    const driver = await driverOver(http, limits, `sleep 1000 & echo $! $$ > ${started}; wait`);
    await expect(driver.listRunning()).rejects.toThrow("/bin/sh took longer than 200 ms");
    expect(asked).toBe(0);
    // On a slow machine it was ended before it had started anything.
    const ids = (await readFile(started, "utf8").catch(() => "")).split(/\s+/).filter(Boolean).map(Number);
    for (const id of ids) await expect.poll(() => isRunning(id)).toBe(false);
  });

  test("and works changes nothing", async () => {
    const tokens: (string | undefined)[] = [];
    const http = createHttpServer((request, response) => {
      tokens.push(request.headers.authorization);
      response.setHeader("content-type", "application/json").end('{"apiVersion": "v1", "kind": "PodList", "items": []}');
    });
    const hour = { questionMs: hourMs, changeMs: hourMs, silenceMs: hourMs };
    const driver = await driverOver(http, hour, `echo '{"status": {"token": "fetched"}}'`);
    expect(await driver.listRunning()).toEqual(new Set());
    expect(new Set(tokens)).toEqual(new Set(["Bearer fetched"]));
  });

  test("and fails says why", async () => {
    const driver = await driverOver(createHttpServer(showRunning), { ...patient, questionMs: hourMs }, "echo expired >&2; exit 3");
    await expect(driver.listRunning()).rejects.toThrow("expired");
  });
});

/** Whether the process exists and has not ended; an ended one stays listed until its parent waits for it. */
const isRunning = async (id: number): Promise<boolean> => {
  const stat = await readFile(`/proc/${id}/stat`, "utf8").catch(() => null);
  return stat !== null && !/\) [ZX] /.test(stat);
};

const noticeEnd = (socket: Socket): void => void socket.resume().on("end", () => socket.end());

/** Shows every pod as one that runs. */
const showRunning: RequestListener = (_request, response) => {
  response.setHeader("content-type", "application/json");
  response.end(
    JSON.stringify({ apiVersion: "v1", kind: "Pod", metadata: { name: `w-${workspaceId}`, uid: "1" }, status: { phase: "Running" } }),
  );
};

function accept(socket: Socket, key: string): void {
  const answer = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${answer}\r\nSec-WebSocket-Protocol: v4.channel.k8s.io\r\n\r\n`,
  );
}

/** Standard output, in a frame of a WebSocket. */
function frame(content: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head[0] = 0x82;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(content.length + 1), 2);
  return Buffer.concat([head, Buffer.of(1), content]);
}
