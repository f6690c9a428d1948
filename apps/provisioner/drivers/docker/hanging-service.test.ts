/** A container service that hangs: it accepts connections and does not answer, or stops in the middle. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer, json } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lineKeys } from "#testing/network/start-test-gateway.ts";
import { hourMs } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { buildRunSpec } from "#testing/drivers/driver-harness.ts";
import { DriverFailure } from "../driver.ts";
import { createDockerDriver, type DockerDriver } from "./create-docker-driver.ts";
import { holdService } from "./isolation/hold-service.ts";

const limits = { questionMs: 200, changeMs: 300, silenceMs: 400 };
/** The limit if the service answers first: even a busy machine answers within this time. */
const patient = { questionMs: 6_000, changeMs: 6_000, silenceMs: 2_000 };
/** Where a late answer would end in the same way. */
const brief = { ...limits, questionMs: 1_000 };

let folder: string;
let server: Server;
const sockets = new Set<Socket>();
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "slipway-socket-"))));
afterEach(async () => {
  server.close();
  sockets.forEach((socket) => socket.destroy());
  await rm(folder, { recursive: true });
});

async function driverOver(made: Server, within = limits): Promise<DockerDriver> {
  server = made.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  const socketPath = join(folder, "socket");
  await once(server.listen(socketPath), "listening");
  const host = { enginesDir: "/nowhere/engines", nodeBinary: "/nowhere/bin/node" };
  const imageName = (image?: string) => `localhost/${image}`;
  return createDockerDriver({
    socketPath,
    imageName,
    host,
    cpus: 1,
    diskMb: 256,
    isDemanded: true,
    lineKeys,
    log: createLog("silent"),
    limits: within,
  });
}
// It reads, so that it notices when a caller leaves.
const silent = () => driverOver(createServer((socket) => void socket.resume()));
const answering = (answer: RequestListener, within = patient) => driverOver(createHttpServer(answer), within);

const image = "stand-in:1";
const spec = buildRunSpec({ image, command: ["/bin/true"] });
const { workspaceId } = spec;
const unanswered = /did not answer.* took longer than \d+ ms/;

describe("a service that accepts connections and does not answer", () => {
  const calls: Record<string, (driver: DockerDriver) => Promise<unknown>> = {
    "a start": (driver) => driver.ensure(spec),
    "a stop": (driver) => driver.ensure({ ...spec, run: false }),
    "a look": (driver) => driver.observe(workspaceId),
    "the list of what runs": (driver) => driver.listRunning(),
    "a removal": (driver) => driver.remove(workspaceId),
    output: (driver) => driver.logs(workspaceId, 1_000),
    "a measurement": (driver) => driver.usage!([workspaceId]),
    "reading files": (driver) => driver.readStorage(spec, ["a"]).then(buffer),
    "replacing files": (driver) => driver.replaceStorage(spec, ["a"], Readable.from([])),
    "the check of a start": (driver) => driver.service.check(),
  };
  test.each(Object.entries(calls))("fails %s within its time limit", async (_what, call) => {
    await expect(call(await silent())).rejects.toThrow(unanswered);
    await expect.poll(() => sockets.size).toBe(0);
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

  test("is not asked about every workspace once it has failed to answer about one", async () => {
    let asked = 0;
    const driver = await driverOver(createServer((socket) => void socket.resume()).on("connection", () => (asked += 1)));
    await expect(driver.usage!(Array.from({ length: 100 }, (_, index) => `w-${index}`))).rejects.toThrow(unanswered);
    // A connection may be noticed here only after its caller has left.
    await expect.poll(() => asked).toBe(8);
    // As long as a second round of queries would take to begin.
    await expect(driver.observe(workspaceId)).rejects.toThrow(unanswered);
    await expect.poll(() => asked).toBe(9);
  });

  test("is reported as a problem of the host, until it answers", async () => {
    const driver = await silent();
    expect(await driver.holdHost!()).toEqual([{ kind: "container service", detail: expect.stringMatching(unanswered) }]);
  });
});

test("a slow check delays no other work, and is reported once it is over", async () => {
  const driver = await answering(({ url }, response) => {
    const list = url!.startsWith("/containers/json") || url!.startsWith("/networks");
    response.end(list ? "[]" : JSON.stringify({ SecurityOptions: ["name=userns", "name=seccomp"] }));
  });
  const canary = Promise.withResolvers<string[]>();
  const held = holdService(driver.host, { isDemanded: true, waitMs: 100, tryHost: () => canary.promise });
  expect(await held.hold()).toEqual([]);
  held.demand();
  canary.resolve(["10.0.0.1:80"]);
  // It waits for the check, but not for long.
  await expect.poll(() => held.hold()).toEqual([{ kind: "network", detail: expect.stringContaining("containers reach 10.0.0.1:80") }]);
  expect(() => held.demand()).toThrow(DriverFailure);
});

test("leftovers of a killed process that the service can't remove do not end the checks", async () => {
  const driver = await answering(({ url, method }, response) => {
    if (method === "DELETE") return void response.writeHead(500).end('{"message":"device or resource busy"}');
    if (url!.startsWith("/containers/json")) return void response.end('[{"Id":"left","Created":0}]');
    if (url!.startsWith("/containers/left")) return void response.end('{"State":{"Running":false,"FinishedAt":"2020-01-01T00:00:00Z"}}');
    response.end(url!.startsWith("/networks") ? "[]" : JSON.stringify({ SecurityOptions: ["name=userns", "name=seccomp"] }));
  });
  const held = holdService(driver.host, { isDemanded: true, tryHost: async () => ["10.0.0.1:80"] });
  expect(await held.hold()).toEqual([{ kind: "network", detail: expect.stringContaining("containers reach 10.0.0.1:80") }]);
  expect(() => held.demand()).toThrow(DriverFailure);
});

test("a workspace that has just ended, for which Podman refuses figures, does not hide the usage of others", async () => {
  const driver = await answering(({ url }, response) => {
    if (url!.includes("w-ended")) return void response.writeHead(409).end('{"message":"container is stopped"}');
    response.end(JSON.stringify({ memory_stats: { usage: 3 * 1024 ** 2 } }));
  });
  expect(await driver.usage!(["w-ended", "w-other"])).toEqual(new Map([["w-other", { memoryMb: 3 }]]));
});

describe("a service that hangs in the middle", () => {
  test("of an answer is not waited for", async () => {
    const driver = await answering((_request, response) => void response.writeHead(200).write('[{"Id": "'), brief);
    await expect(driver.listRunning()).rejects.toThrow(unanswered);
  });

  test("of a refusal is not waited for either", async () => {
    const driver = await answering((_request, response) => void response.writeHead(500).write('{"message": "'), brief);
    await expect(driver.listRunning()).rejects.toThrow(unanswered);
  });

  test("during a pull fails the start once the pull is silent for too long", async () => {
    const driver = await answering(({ url, method }, response) => {
      if (url!.startsWith("/images/create")) return void response.writeHead(200).write('{"status":"Pulling"}\n');
      if (url!.startsWith("/version") || method === "POST") return void response.end("{}");
      response.writeHead(404).end("{}");
    });
    await expect(driver.ensure(spec)).rejects.toThrow(/could not be pulled: a pull's next line took longer than 2000 ms/);
  });

  test("while files are read fails the reading, and a container whose maker is gone is removed", async () => {
    const { driver, removed } = await readingFrom(() => undefined);
    await expect(readAll(driver)).rejects.toThrow(/input or output took longer than 2000 ms/);
    expect(removed).toEqual(["/containers/helper"]);
  });
});

describe("a service that keeps a container's output for only seconds after its end", () => {
  test("makes the container stay until everything was read", async () => {
    let stdinEnded = false;
    const { driver } = await readingFrom((socket, mark) => {
      // In two pieces, one of which ends within the mark.
      socket.write(framed(`a tar${mark.slice(0, 5)}`));
      socket.write(framed(mark.slice(5)));
      socket.resume().on("end", () => {
        stdinEnded = true;
        socket.end();
      });
    });
    expect(await readAll(driver)).toBe("a tar");
    expect(stdinEnded).toBe(true);
  });

  test("and drops the rest fails the reading, although tar succeeded", async () => {
    const { driver } = await readingFrom((socket) => void socket.end(framed("the beginning of a tar")));
    await expect(readAll(driver)).rejects.toThrow("before all was read");
  });
});

const readAll = async (driver: DockerDriver): Promise<string> => (await buffer(await driver.readStorage(spec, ["a"]))).toString();

/** Standard output as the service frames it. */
const framed = (text: string): Buffer => {
  const head = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32BE(text.length, 4);
  return Buffer.concat([head, Buffer.from(text)]);
};

/** A service whose containers end with 0 and write what `write` does, given the mark that ends a reading; and which it then removed. */
async function readingFrom(write: (socket: Socket, mark: string) => void): Promise<{ driver: DockerDriver; removed: string[] }> {
  const removed: string[] = [];
  let mark = "";
  const http = createHttpServer({ allowHalfOpen: true } as object, async (request, response) => {
    const { url, method } = request;
    if (url!.startsWith("/containers/create")) mark = ((await json(request)) as { Cmd: string[] }).Cmd[2]!;
    if (method === "DELETE") removed.push(url!.split("?")[0]!);
    if (url!.startsWith("/containers/slipway-") && method === "GET") return void response.writeHead(404).end("{}");
    response.end(JSON.stringify(url!.startsWith("/images/json") ? [{ Id: "image" }] : { Id: "helper", StatusCode: 0 }));
  }).on("upgrade", (_request, socket: Socket) => {
    socket.write("HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n");
    write(socket, mark);
  });
  return { driver: await driverOver(http, patient), removed };
}
