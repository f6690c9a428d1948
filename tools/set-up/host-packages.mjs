/**
 * The system programs that workspaces' sandboxes need. On Debian as root they are installed with one command; otherwise the service says
 * what is missing, and that workspaces are not isolated without it.
 */
import { spawn } from "node:child_process";
import { closeSync, existsSync, ftruncateSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { step } from "../process/step.mjs";

/** Each program with its Debian package. */
const packageOf = {
  bwrap: "bubblewrap",
  nft: "nftables",
  ip: "iproute2",
  "mkfs.ext4": "e2fsprogs",
  losetup: "mount",
  setpriv: "util-linux",
};
const folders = ["/usr/bin", "/usr/sbin", "/bin", "/sbin"];
const aptGet = "/usr/bin/apt-get";
const limitMs = 5 * 60_000;
const waitForLocks = ["-o", `DPkg::Lock::Timeout=${limitMs / 1000}`];
const retryMs = 1000;

/** The packages to install, according to which programs exist. */
export function missingPackages(isThere = (name) => folders.some((folder) => existsSync(join(folder, name)))) {
  return Object.entries(packageOf)
    .filter(([program]) => !isThere(program))
    .map(([, name]) => name);
}

/** Installs what is missing, as root on systems with apt-get. A failure is reported but does not stop the set-up. */
export async function installHostPackages() {
  if (process.platform !== "linux" || process.getuid() !== 0 || !existsSync(aptGet)) return;
  const missing = missingPackages();
  if (missing.length === 0) return;
  let result;
  await step(`Installing packages that isolate workspaces (apt-get install ${missing.join(" ")})`, async () => {
    result = await installWith(run, missing);
  });
  if (!result.ok)
    console.error(
      `${result.output.trim().split("\n").slice(-3).join("\n")}\nWorkspaces are not isolated without ${missing.join(", ")}: install ${missing.length === 1 ? "it" : "them"} manually and start again.`,
    );
}

/** As often as it takes: a fresh machine has no list of packages yet, or an old one, and an installation may have been interrupted. */
export async function installWith(run, packages) {
  const install = () => run(aptGet, ["install", "-y", "-q", "--no-install-recommends", ...packages]);
  let result = await install();
  if (!result.ok && /dpkg --configure -a/.test(result.output)) {
    await run("/usr/bin/dpkg", ["--configure", "-a"]);
    result = await install();
  }
  if (!result.ok && (await run(aptGet, ["update", "-q"])).ok) result = await install();
  return result;
}

/**
 * Waits while another process, such as the machine's own updates, holds a lock of apt. The output goes to a file: if we are killed, the
 * installation continues, and would end halfway at its first line into a pipe without a reader.
 */
async function run(command, args) {
  const folder = mkdtempSync(join(tmpdir(), "slipway-apt-"));
  const log = join(folder, "output");
  const output = openSync(log, "a");
  const isApt = command === aptGet;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" };
  try {
    for (const deadline = Date.now() + limitMs; ; await sleep(retryMs)) {
      ftruncateSync(output);
      const child = spawn(command, [...(isApt ? waitForLocks : []), ...args], {
        env,
        stdio: ["ignore", output, output],
        timeout: limitMs,
        // Ctrl-C does not reach it either.
        detached: true,
      });
      const code = await new Promise((resolve) => child.once("error", resolve).once("close", resolve));
      const said = readFileSync(log, "utf8");
      if (code === 0 || Date.now() > deadline || !/Could not get lock|Unable to lock/.test(said)) return { ok: code === 0, output: said };
    }
  } finally {
    closeSync(output);
    rmSync(folder, { recursive: true, force: true });
  }
}
