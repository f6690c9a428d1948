/**
 * The system programs that workspaces' sandboxes need. On Debian as root they are installed with one command; otherwise the service says
 * what is missing, and that workspaces are not isolated without it.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runQuietly } from "../process/run-quietly.mjs";
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
  const install = () => aptget(["install", "-y", "-q", "--no-install-recommends", ...missing]);
  await step(`Installing packages that isolate workspaces (apt-get install ${missing.join(" ")})`, async () => {
    let result = await install();
    // A fresh machine has no list of packages yet, or an old one.
    if (!result.ok && (await aptget(["update", "-q"])).ok) result = await install();
    if (!result.ok)
      process.stdout.write(
        `\n${result.output.trim().split("\n").slice(-3).join("\n")}\nWorkspaces will not be isolated. Install the packages manually and start again:`,
      );
  });
}

function aptget(args) {
  return runQuietly(aptGet, args, { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, timeout: limitMs });
}
