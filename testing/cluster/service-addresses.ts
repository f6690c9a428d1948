/**
 * What real clusters have and the test cluster lacks: services that answer at their addresses, and names for them. For pods and for the
 * test.
 */
import { execFile } from "node:child_process";
import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { promisify } from "node:util";
import type { TestCluster } from "./start-cluster.ts";

const run = promisify(execFile);

/** As the nodes' settings say. */
export const nameServer = "192.0.2.53";
/** The API's own service: the first address of the range. */
const apiService = "10.96.0.1";
/** Outside of the services' range and of the nodes'. */
const outsideAddress = "10.99.1.1";

export interface ServiceAddresses extends AsyncDisposable {
  /** The address of `service.namespace.svc`, where its ready pods answer from now on. */
  addressOf(name: string): Promise<string>;
  /** Makes a server of this machine reachable from pods at the returned address and this port. */
  reach(port: number, target: NetConnectOpts): Promise<string>;
}

/**
 * Whether the host's firewall filters traffic between two pods of a bridge: the rules of DRIVER=process refuse everything that does not
 * belong to a workspace.
 */
const bridgeFirewall = "/proc/sys/net/bridge/bridge-nf-call-iptables";

/** Pods find the API from now on, services by name when they ask for one, and each other. */
export async function serveServices({ config, core }: TestCluster): Promise<ServiceAddresses> {
  const filtered = existsSync(bridgeFirewall) ? await readFile(bridgeFirewall, "utf8") : undefined;
  if (filtered !== undefined) await writeFile(bridgeFirewall, "0");
  const addresses = new Set<string>();
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const own = async (address: string): Promise<void> => {
    if (addresses.has(address)) return;
    addresses.add(address);
    // One that a killed run left is just as good.
    await run("ip", ["addr", "add", `${address}/32`, "dev", "lo"]).catch(() => undefined);
  };
  const forward = async (address: string, port: number, target: () => Promise<NetConnectOpts>): Promise<void> => {
    await own(address);
    const server = createServer((from) => void passOn(from, target));
    servers.push(server.listen(port, address));
    await once(server, "listening");
  };
  const passOn = async (from: Socket, target: () => Promise<NetConnectOpts>): Promise<void> => {
    sockets.add(from.once("close", () => sockets.delete(from)));
    // Until there is somewhere to go, its errors are not reported.
    from.on("error", () => undefined);
    try {
      const to = connect(await target());
      pipeline(from, to, () => undefined);
      pipeline(to, from, () => undefined);
    } catch {
      from.destroy();
    }
  };

  const services = new Map<string, Promise<string>>();
  const serve = async (name: string): Promise<string> => {
    const [service = "", namespace = ""] = name.split(".");
    const { spec } = await core.readNamespacedService({ name: service, namespace });
    for (const { port } of spec!.ports!) await forward(spec!.clusterIP!, port, () => readyPod(service, namespace));
    return spec!.clusterIP!;
  };
  const readyPod = async (name: string, namespace: string): Promise<NetConnectOpts> => {
    const { subsets = [] } = await core.readNamespacedEndpoints({ name, namespace });
    const ready = subsets.flatMap(({ addresses = [], ports }) => addresses.map(({ ip }) => ({ host: ip, port: ports![0]!.port })));
    return ready[Math.floor(Math.random() * ready.length)]!;
  };
  const addressOf = (name: string): Promise<string> => {
    const served = services.get(name) ?? serve(name);
    services.set(name, served);
    void served.catch(() => services.delete(name));
    return served;
  };

  const api = new URL(config.getCurrentCluster()!.server);
  await forward(apiService, 443, async () => ({ host: api.hostname, port: Number(api.port) }));
  await own(nameServer);
  const names = createSocket("udp4");
  const answer = async (query: Buffer, from: RemoteInfo): Promise<void> => {
    const name = nameIn(query);
    const address = /^[\w-]+\.[\w-]+\.svc$/.test(name) ? await addressOf(name).catch(() => undefined) : undefined;
    names.send(reply(query, address), from.port, from.address);
  };
  names.on("message", (query, from) => void answer(query, from));
  names.bind(53, nameServer);
  await once(names, "listening");

  return {
    addressOf,
    async reach(port, target) {
      await forward(outsideAddress, port, async () => target);
      return outsideAddress;
    },
    async [Symbol.asyncDispose]() {
      names.close();
      if (filtered !== undefined) await writeFile(bridgeFirewall, filtered);
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      for (const address of addresses) await run("ip", ["addr", "del", `${address}/32`, "dev", "lo"]).catch(() => undefined);
    },
  };
}

/** Where the question begins in a message of DNS. */
const headerBytes = 12;
const questionEnd = (query: Buffer): number => query.indexOf(0, headerBytes) + 5;

function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = headerBytes; query[at]; at += query[at]! + 1) labels.push(query.toString("ascii", at + 1, at + 1 + query[at]!));
  return labels.join(".");
}

/** The address, no address of this kind, or no such name. */
function reply(query: Buffer, address: string | undefined): Buffer {
  const question = query.subarray(headerBytes, questionEnd(query));
  const asksV4 = question.readUInt16BE(question.length - 4) === 1;
  const isAnswered = address !== undefined && asksV4;
  const header = Buffer.alloc(headerBytes);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(address === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(isAnswered ? 1 : 0, 6);
  if (!isAnswered) return Buffer.concat([header, question]);
  // The name of the question, type A, class IN, for five seconds, four bytes.
  const record = Buffer.from([0xc0, headerBytes, 0, 1, 0, 1, 0, 0, 0, 5, 0, 4, ...address.split(".").map(Number)]);
  return Buffer.concat([header, question, record]);
}
