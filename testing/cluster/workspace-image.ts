/** An image for tests: Node, a shell with tar, and given files, as an archive that a node imports. 130 MB instead of an engine's 2 GB. */
import { execFile } from "node:child_process";
import { chmod, copyFile, cp, mkdir, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { stageBeside } from "#platform/host/stage-beside.ts";
import { clusterDir } from "./cluster-tools.ts";

const run = promisify(execFile);

/** What the driver's scripts and the tests' workspace call, and a hostile one. */
const programs =
  "sh tar head tail cut du cat mkdir rm mv chmod dirname sleep grep wc env id ls ln mount chroot mknod unshare nsenter perl".split(" ");

/** Writes `archive` with the image `name`; `files` are what is copied from this machine, by its path in the image. */
export async function makeWorkspaceImage(
  archive: string,
  name: string,
  tini: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const root = await stageBeside(join(tmpdir(), "slipway-cluster-image"));
  try {
    for (const folder of ["usr/bin", "usr/lib", "usr/lib64", "usr/local/bin", "data", "tmp"])
      await mkdir(join(root, folder), { recursive: true });
    for (const folder of ["bin", "lib", "lib64"]) await symlink(`usr/${folder}`, join(root, folder));
    await copyFile(tini, join(root, "usr/bin/tini"));
    await copyProgram(root, process.execPath, "usr/local/bin/node");
    for (const program of programs) await copyProgram(root, await which(program), `usr/bin/${program}`);
    // For the test of whether a setuid file gives a workspace its owner's rights.
    await copyProgram(root, await which("id"), "usr/bin/suid-id");
    await chmod(join(root, "usr/bin/suid-id"), 0o4755);
    for (const [to, file] of Object.entries(files)) await cp(file, join(root, to));
    await run(join(clusterDir, "mkimage.py"), [archive, name, JSON.stringify(["/usr/local/bin/node"]), root]);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const which = async (program: string): Promise<string> =>
  realpath((await run("/bin/sh", ["-c", `command -v ${program}`], { env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin" } })).stdout.trim());

/** With the libraries that it loads. */
async function copyProgram(root: string, program: string, to: string): Promise<void> {
  await copyFile(program, join(root, to));
  const { stdout } = await run("ldd", [program]);
  for (const [library] of stdout.matchAll(/\/lib\S+/g)) {
    await mkdir(dirname(join(root, library)), { recursive: true });
    await copyFile(library, join(root, library));
  }
}
