/**
 * A browser on a separate network, as if on a visitor's machine: each pod adds an address to the machine of the cluster, and Chromium
 * aborts what it is loading when its machine gets one.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium, type Browser } from "playwright-core";
import { findBrowser } from "../browser/chromium.ts";

const run = promisify(execFile);

const network = "slipway-visitor";
/** The ends of the line between the two, whose names have at most 15 letters. */
const [outside, inside] = ["slipway-line", "line"];
/** Beside the cluster's own addresses (service-addresses.ts). */
const [hostAddress, visitorAddress] = ["10.99.2.1", "10.99.2.2"];
const launchTimeoutMs = 2 * 60_000;

export interface Visitor extends AsyncDisposable {
  browser: Browser;
}

/**
 * Starts the browser; `hosts` are addresses of this machine by the names, or patterns of names, that resolve to them. Needs root on Linux.
 */
export async function startVisitor(hosts: Readonly<Record<string, string>>): Promise<Visitor> {
  await removeNetwork();
  const folder = await mkdtemp(join(tmpdir(), "slipway-visitor-"));
  const remove = async () => {
    await removeNetwork();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await makeNetwork();
    const { executablePath, args, env } = await findBrowser();
    const program = join(folder, "chromium");
    await writeFile(program, `#!/bin/sh\nexec nsenter --net=/var/run/netns/${network} -- '${executablePath}' "$@"\n`, { mode: 0o755 });
    const rules = Object.entries(hosts).map(([name, address]) => `MAP ${name} ${address}`);
    const browser = await chromium.launch({
      executablePath: program,
      // Of two flags with one name the last one counts.
      args: [...args, `--host-resolver-rules=${rules.join(",")}`],
      env,
      chromiumSandbox: false,
      timeout: launchTimeoutMs,
    });
    return {
      browser,
      async [Symbol.asyncDispose]() {
        await browser.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function makeNetwork(): Promise<void> {
  const ip = (...args: string[]) => run("ip", args);
  await ip("netns", "add", network);
  // Its own address of version 6 would come a second later, when the browser is already loading.
  await run("nsenter", [`--net=/var/run/netns/${network}`, "/bin/sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6"]);
  await ip("link", "add", outside!, "type", "veth", "peer", "name", inside!, "netns", network);
  await ip("addr", "add", `${hostAddress}/30`, "dev", outside!);
  await ip("link", "set", outside!, "up");
  await ip("-n", network, "addr", "add", `${visitorAddress}/30`, "dev", inside!);
  await ip("-n", network, "link", "set", "lo", "up");
  await ip("-n", network, "link", "set", inside!, "up");
  await ip("-n", network, "route", "add", "default", "via", hostAddress!);
}

/** Also that of a run that was killed. */
async function removeNetwork(): Promise<void> {
  await run("ip", ["link", "del", outside!]).catch(() => undefined);
  await run("ip", ["netns", "del", network]).catch(() => undefined);
}
