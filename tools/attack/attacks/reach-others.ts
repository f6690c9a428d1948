/** Reaching what should be unreachable over the network: the neighbour, the program, the database, the host. */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { createServer as createSocketServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { words, type Attack } from "../attack.ts";
import { n8nOf } from "../scene/host-view.ts";
import type { Scene } from "../scene/scene.ts";

/** Connects to each place from inside n8n and reports the result. Places are ports (`[host, port]`) or paths of sockets. */
const connectScript = `const net = require('node:net');
return await Promise.all(given.map((place) => new Promise((resolve) => {
  const socket = typeof place === 'string' ? net.connect({ path: place.replace(/^@/, '\\0') }) : net.connect({ host: place[0], port: place[1] });
  const end = (word) => { socket.destroy(); resolve(word); };
  socket.once('connect', () => end('connected')).once('error', (error) => end(error.code || error.message));
  setTimeout(() => end('no answer'), 1500);
})));`;

export async function connect(
  scene: Scene,
  places: readonly (string | readonly [string, number])[],
): Promise<{ place: string; answer: string }[]> {
  const answers = (await scene.script(connectScript, places)) as string[];
  return answers.map((answer, index) => ({ place: String(places[index]), answer }));
}

/** Sockets of the database below `dataDir`, as the kernel lists them, in whatever folder. */
function findSocketFolders(dataDir: string): string[] {
  const short = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  const paths = readFileSync("/proc/net/unix", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/)[7] ?? "");
  return [...new Set(paths.filter((path) => path.includes(".s.PGSQL.") && (path.startsWith(dataDir) || path.includes(short))))];
}

const outcomeOf = (answers: readonly { place: string; answer: string }[]) => ({
  stoppedBy: words(answers.map(({ answer }) => answer).filter((answer) => answer !== "connected")),
  harms: answers.filter(({ answer }) => answer === "connected").map(({ place }) => `it reached ${place}`),
});

const hostAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .map(({ address }) => address)
    .filter((address) => !address.startsWith("fe80"));

/** Ports on which a process listens, in its own network namespace, as it reports them itself. */
export function listeningPorts(pid: number, uid: number): number[] {
  const lines = ["tcp", "tcp6"].flatMap((name) => readFileSync(`/proc/${pid}/net/${name}`, "utf8").split("\n").slice(1));
  const rows = lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , owner]) => state === "0A" && owner === String(uid));
  return [...new Set(rows.map(([, local = ""]) => Number.parseInt(local.split(":")[1] ?? "0", 16)))];
}

/** Spellings of one address that do not look like it. */
const disguises = (port: number): string[] => [
  `http://127.0.0.1:${port}/`,
  `http://localhost:${port}/`,
  `http://[::1]:${port}/`,
  `http://0.0.0.0:${port}/`,
  `http://2130706433:${port}/`,
  `http://0177.0.0.1:${port}/`,
  `http://0x7f.1:${port}/`,
  `http://127.1:${port}/`,
  `http://[::ffff:127.0.0.1]:${port}/`,
  `http://127.0.0.1.nip.io:${port}/`,
];

export const reachOthers: readonly Attack[] = [
  {
    title: "calls the host's own addresses, in every spelling and by a redirect",
    means: "HTTP Request",
    async run(scene) {
      const hits: string[] = [];
      const canary = createServer((request, response) => {
        hits.push(request.url ?? "");
        response.end("private");
      });
      canary.listen(0, "::");
      await once(canary, "listening");
      const { port } = canary.address() as AddressInfo;
      try {
        const urls = [
          ...disguises(port),
          ...hostAddresses().map((address) => `http://${address.includes(":") ? `[${address}]` : address}:${port}/`),
        ];
        const answers = await Promise.all(urls.map((url) => scene.runInside(scene.attacker, "http", { url, host: "localhost" })));
        const redirecting = await scene.script(redirectScript, `http://127.0.0.1:${port}/redirected`);
        answers.push(await scene.runInside(scene.attacker, "http", { url: `http://127.0.0.1:${String(redirecting)}/`, host: "localhost" }));
        const said = answers.map(
          ({ error }) =>
            (error === undefined ? "answered" : ((error as { message?: string }).message ?? JSON.stringify(error)))
              .split(" - ")
              .at(-1)
              ?.slice(0, 60) ?? "",
        );
        return {
          stoppedBy: words(said.map((text) => text.replaceAll(/[\d.:[\]a-f]{7,}/g, "…"))),
          harms: hits.length > 0 ? [`${hits.length} requests arrived at the host`] : [],
        };
      } finally {
        canary.close();
        canary.closeAllConnections();
      }
    },
  },
  {
    title: "asks the cloud's metadata address and private networks",
    means: "HTTP Request, code in n8n",
    async run(scene) {
      const gateway = (
        await scene.shell("ip route 2>/dev/null | grep -o 'via [0-9.]*' | cut -c 5-; awk '$2 == \"00000000\" { print $3 }' /proc/net/route")
      ).text;
      const gateways = gateway
        .split("\n")
        .map((text) =>
          /^[0-9A-F]{8}$/.test(text)
            ? text
                .match(/../g)!
                .toReversed()
                .map((pair) => Number.parseInt(pair, 16))
                .join(".")
            : text,
        )
        .filter((text) => /^[\d.]+$/.test(text));
      const places = ["169.254.169.254", "169.254.170.2", "10.0.0.1", "192.168.0.1", "172.17.0.1", "100.64.0.1", ...gateways].flatMap(
        (host) => [80, 22, 53, scene.slipway.port].map((port): [string, number] => [host, port]),
      );
      const metadata = await scene.runInside(scene.attacker, "http", {
        url: "http://169.254.169.254/latest/meta-data/",
        host: "169.254.169.254",
      });
      const { stoppedBy, harms } = outcomeOf(await connect(scene, places));
      return { stoppedBy, harms: [...harms, ...(metadata["statusCode"] === undefined ? [] : ["the metadata service answered"])] };
    },
  },
  {
    title: "connects to its neighbour's ports, past the gateway",
    means: "code in n8n",
    async run(scene) {
      const { neighbour, driver } = scene;
      const { address } = await driver.observe(neighbour.workspaceId);
      const host = address?.replace(/:\d+$/, "") ?? "";
      const ports = listeningPorts(n8nOf(neighbour.uid)!.pid, neighbour.uid);
      if (host === "" || ports.length === 0) throw new Error("the neighbour's ports are not to be found");
      return outcomeOf(
        await connect(
          scene,
          ports.map((port) => [host, port] as const),
        ),
      );
    },
  },
  {
    title: "connects to the program's port, the development inbox behind it",
    means: "code in n8n, HTTP Request",
    async run(scene) {
      const { port } = scene.slipway;
      const inbox = await scene.runInside(scene.attacker, "http", {
        url: `http://127.0.0.1:${port}/api/dev/inbox`,
        host: `localhost:${port}`,
      });
      const { stoppedBy, harms } = outcomeOf(
        await connect(
          scene,
          ["127.0.0.1", "::1", ...hostAddresses()].map((host) => [host, port] as const),
        ),
      );
      return { stoppedBy, harms: [...harms, ...(inbox["statusCode"] === 200 ? ["it read everybody's mail"] : [])] };
    },
  },
  {
    title: "connects to the database, by its socket and by TCP",
    means: "code in n8n",
    async run(scene) {
      const sockets = findSocketFolders(scene.slipway.dataDir);
      if (sockets.length === 0) throw new Error("the database's socket is not to be found");
      const copies = sockets.map((socket) => join("/proc", String(scene.slipway.postmasterPid()), "root", socket));
      return outcomeOf(
        await connect(scene, [...sockets, ...copies, ...["127.0.0.1", "::1", ...hostAddresses()].map((host) => [host, 5432] as const)]),
      );
    },
  },
  {
    title: "connects to a program of the host at an abstract socket",
    means: "code in n8n",
    async run(scene) {
      const name = `slipway-attack-${process.pid}`;
      const server = createSocketServer((socket) => socket.end()).listen(`\0${name}`);
      await once(server, "listening");
      try {
        return outcomeOf(await connect(scene, [`@${name}`]));
      } finally {
        server.close();
      }
    },
  },
];

/** A server inside the workspace that redirects every request. Returns its port; it ends with the workspace. */
const redirectScript = `const server = require('node:http').createServer((request, response) => response.writeHead(302, { location: given }).end());
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
server.unref();
return server.address().port;`;
