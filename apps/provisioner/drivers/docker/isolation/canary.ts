/**
 * Whether the host keeps containers of workspaces from what they must not reach. Firewall rules can be missing, flushed or in the wrong
 * order, so a container in place of a workspace tries it.
 */
import { networkInterfaces } from "node:os";
import { createServer } from "node:net";
import { once } from "node:events";
import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { nodeInImage } from "../../container/image-places.ts";
import { canaryOptions } from "../container-options.ts";
import { createContainer, namesOf, startContainer, unlessMissing, waitForContainer, type DockerHost } from "../docker-host.ts";
import { findHelperImage } from "../find-image.ts";
import { makeNetwork, removeContainer } from "../run-container.ts";

/** Where clouds give out keys to any caller on the machine; the second is Azure's. */
const metadataAddresses = ["169.254.169.254:80", "168.63.129.16:80"];
/** Longer than a connection inside a host takes, even on a busy one. */
const connectTimeoutMs = 3_000;

const script = `
const net = require("node:net");
const gateway = require("node:fs").readFileSync("/proc/net/route", "utf8").split("\\n").map((line) => line.split("\\t")).find(([, to]) => to === "00000000")?.[2];
const own = gateway && gateway.match(/../g).reverse().map((byte) => parseInt(byte, 16)).join(".");
const [port, closed, ...others] = process.argv.slice(1);
const targets = [...(own ? [own + ":" + port] : []), ...others];
const attempt = (target) => new Promise((resolve) => {
  const cut = target.lastIndexOf(":");
  const socket = net.connect({ host: target.slice(0, cut), port: Number(target.slice(cut + 1)), timeout: ${connectTimeoutMs} });
  socket.on("connect", () => (socket.destroy(), resolve("reached"))).on("error", ({ code }) => resolve(code)).on("timeout", () => (socket.destroy(), resolve("silence")));
});
const through = targets.map(async (target) => ((await attempt(target)) === "reached" ? [target] : []));
const open = attempt(closed).then((how) => (how === "ECONNREFUSED" ? [] : ["private networks (" + closed + " is not refused)"]));
Promise.all([...through, open]).then((reached) => { console.log(JSON.stringify(reached.flat())); process.exit(0); });
`;

/**
 * What a canary could reach, as addresses with ports; empty is good. `port` is one on which every address of the host listens. It also
 * tries the network of a neighbour: only our rules refuse that with an answer. A host that is closed by other means, and whose service
 * isolates neighbours by dropping packets, still lets containers into the private networks around it.
 */
export async function sendCanary(host: DockerHost, port: number, addresses: readonly string[]): Promise<string[]> {
  const [id, neighbour] = [canaryId(), canaryId()];
  const image = await findHelperImage(host, id);
  const { container: name, network } = namesOf(id);
  try {
    for (const each of [id, neighbour]) await makeNetwork(host, each, canaryNumber());
    const targets = [...metadataAddresses, ...addresses.map((address) => `${address}:${port}`)];
    const closed = `${await addressIn(host, namesOf(neighbour).network)}:${port}`;
    const command = [nodeInImage, "-e", script, String(port), closed, ...targets];
    const made = await createContainer(host, await canaryOptions(host, { name, image, network, command }));
    await startContainer(host, made);
    await waitForContainer(host, made);
    const said = await host.docker.bytes({ path: `/containers/${made}/logs`, query: { stdout: true, stderr: true } });
    const list = /\[.*\]/.exec(said.toString())?.[0];
    if (list === undefined) throw new Error(`the canary said nothing of use: ${said.toString().slice(0, 500)}`);
    return JSON.parse(list) as string[];
  } finally {
    await removeContainer(host, name);
    for (const each of [network, namesOf(neighbour).network])
      await unlessMissing(host.docker.call({ method: "DELETE", path: `/networks/${each}` }));
  }
}

/** The beginning of a canary's name, which replaces a workspace's id; no workspace id begins like this. */
export const canaryPrefix = "canary-";
const canaryId = (): string => `${canaryPrefix}${randomBytes(6).toString("hex")}`;

/** An address that nothing has in a network without containers: the first is the host's. */
async function addressIn(host: DockerHost, network: string): Promise<string> {
  const { IPAM } = await host.docker.call<{ IPAM: { Config: { Subnet: string }[] } }>({ path: `/networks/${network}` });
  const [, start, last] = /^(.*\.)(\d+)\//.exec(IPAM.Config[0]!.Subnet)!;
  return `${start}${Number(last) + 2}`;
}

/** Above every workspace's own number, and short enough for the name of an interface. */
const canaryNumber = (): number => 2 ** 31 + randomBytes(3).readUIntBE(0, 3);

/** Sends a canary to this process's host: to each of its addresses, at a port that is open only for that moment. */
export async function tryOwnHost(host: DockerHost): Promise<string[]> {
  const server = createServer((socket) => socket.destroy()).listen(0, "0.0.0.0");
  await once(server, "listening");
  try {
    const own = Object.values(networkInterfaces()).flatMap((all) =>
      (all ?? []).filter(({ internal, family }) => !internal && family === "IPv4"),
    );
    return await sendCanary(host, (server.address() as AddressInfo).port, [...new Set(own.map(({ address }) => address))]);
  } finally {
    server.close();
  }
}
