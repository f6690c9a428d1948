/** A second host next to this one, with a documentation address, which represents the internet. Needs root on Linux. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";

export interface Internet {
  host: string;
  /** Ends each connection immediately; so does port 25. */
  port: number;
  /** Keeps each connection open. */
  keepingPort: number;
  /** Forwards each connection to the socket of `relayTo`. */
  relayPort: number;
  stop(): void;
}

const prefix = "internet";

/** Those of tests that were killed: their routes would take this one's connections. One may have had the number of this process. */
function leftovers(own: string): string[] {
  const names = execFileSync("ip", ["netns", "list"], { encoding: "utf8" }).match(/^\S+/gm) ?? [];
  return names.filter((name) => name === own || (name.startsWith(prefix) && !existsSync(`/proc/${name.slice(prefix.length)}`)));
}

/** Ignores what another test has removed in this moment. */
function removeLeftover(name: string): void {
  spawnSync("ip", ["link", "delete", name]);
  spawnSync("ip", ["netns", "delete", name]);
}

/** Takes one of the addresses 203.0.113.1 to 203.0.113.250 that no other process uses. */
function addRoute(device: string): string {
  for (let tries = 0; ; tries += 1) {
    const address = `203.0.113.${1 + ((process.pid + tries) % 250)}`;
    const { status, stderr } = spawnSync("ip", ["route", "add", address, "dev", device], { encoding: "utf8" });
    if (status === 0) return address;
    if (tries === 249 || !stderr.includes("File exists")) throw new Error(`no route to ${address}: ${stderr}`);
  }
}

/** One at a time in a process. `relayTo` is the path of a Unix socket that a test serves. */
export function startInternet(relayTo?: string): Internet {
  const name = `${prefix}${process.pid}`.slice(0, 15);
  const [port, keepingPort, relayPort] = [8080, 8081, 8082];
  const ip = (...args: string[]): void => void execFileSync("ip", args, { stdio: "pipe" });
  let server: ChildProcess | undefined;
  const remove = (which: string): void => {
    // Immediately; with its namespace it would be deleted some time later, and block the next one's name and address.
    execFileSync("/bin/sh", ["-c", 'ip link delete "$1" 2>/dev/null || :', "sh", which]);
    ip("netns", "delete", which);
  };
  const stop = (): void => {
    server?.kill("SIGKILL");
    remove(name);
  };
  leftovers(name).forEach(removeLeftover);
  ip("netns", "add", name);
  let host: string;
  try {
    ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name);
    // The host gets a route and no address: a new address makes browsers, such as those of other tests, abort what they load.
    ip("link", "set", name, "addrgenmode", "none");
    ip("link", "set", name, "up");
    host = addRoute(name);
    ip("-n", name, "address", "add", host, "dev", "eth0");
    ip("-n", name, "link", "set", "eth0", "up");
    ip("-n", name, "route", "add", "default", "dev", "eth0");
    const script = `const { connect, createServer } = require("node:net");
      for (const port of [${port}, 25]) createServer((socket) => socket.on("error", () => undefined).end()).listen(port);
      createServer((socket) => socket.on("error", () => undefined)).listen({ port: ${keepingPort}, backlog: 4096 });
      const relayTo = process.argv[1];
      if (relayTo) createServer((socket) => {
        const onward = connect(relayTo);
        onward.on("error", () => socket.destroy()).pipe(socket.on("error", () => onward.destroy())).pipe(onward);
      }).listen(${relayPort});`;
    // Unlike ip, it makes no mount namespace, which would keep disks of other tests in use.
    const enter = [`--net=/run/netns/${name}`, process.execPath, "-e", script, ...(relayTo === undefined ? [] : [relayTo])];
    server = spawn("nsenter", enter, { stdio: "ignore" });
  } catch (error) {
    stop();
    throw error;
  }
  return { host, port, keepingPort, relayPort, stop };
}
