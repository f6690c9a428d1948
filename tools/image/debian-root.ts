/**
 * A small Debian made of unpacked packages: what Node, an engine and the driver's shell scripts need, without a package manager and without
 * anything that runs during installation.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { stageBeside } from "#platform/host/stage-beside.ts";
import { containerUser } from "#apps/provisioner/drivers/container/image-places.ts";
import { downloadPackages } from "./download-packages.ts";

const run = promisify(execFile);

/** In the order in which they are unpacked; each one's libraries are among them. */
export const debianPackages = `
  libc6 libgcc-s1 libstdc++6 libgmp10 libacl1 libattr1 libselinux1 libpcre2-8-0
  dash coreutils tar gzip grep sed findutils tini ca-certificates libsmartcols1 util-linux
`
  .trim()
  .split(/\s+/);

/** Packages of which only these files are unpacked: prlimit bounds the memory of n8n's code runner. */
const onlyFiles: Readonly<Record<string, readonly string[]>> = { "util-linux": ["./usr/bin/prlimit"] };

const files: Record<string, string> = {
  "etc/passwd": `root:x:0:0:root:/root:/bin/sh\nworkspace:x:${containerUser}:${containerUser}::/data:/bin/sh\nnobody:x:65534:65534::/nonexistent:/bin/false\n`,
  "etc/group": `root:x:0:\nworkspace:x:${containerUser}:\nnogroup:x:65534:\n`,
  "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
};

const unusedFolders = [
  "usr/share/doc",
  "usr/share/man",
  "usr/share/info",
  "usr/share/locale",
  "usr/share/lintian",
  "usr/share/bash-completion",
];

/** The root file system in `cacheDir`, created unless it exists. Needs Debian's apt-get, which checks the packages' signatures. */
export async function makeDebianRoot(cacheDir: string): Promise<{ folder: string; packages: string[] }> {
  const staging = await stageBeside(join(cacheDir, "root"));
  try {
    await downloadPackages(staging, debianPackages);
    const found = (await readdir(staging)).filter((name) => name.endsWith(".deb")).toSorted();
    const folder = join(
      cacheDir,
      `root-${createHash("sha256")
        .update(JSON.stringify([found, files, unusedFolders, onlyFiles]))
        .digest("hex")
        .slice(0, 16)}`,
    );
    if (!existsSync(folder)) await unpack(staging, found, folder);
    return { folder, packages: found.map((name) => decodeURIComponent(name.replace(/\.deb$/, ""))) };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function unpack(staging: string, debs: readonly string[], folder: string): Promise<void> {
  const root = join(staging, "root");
  await mkdir(join(root, "usr"), { recursive: true });
  for (const name of ["bin", "sbin", "lib", "lib64"]) {
    await mkdir(join(root, "usr", name));
    await symlink(`usr/${name}`, join(root, name));
  }
  for (const name of ["etc", "tmp", "proc", "sys", "dev", "data"]) await mkdir(join(root, name), { mode: 0o755 });
  // Not through a pipe, which hides a failure of its first program: what tar had received by then would be kept as the whole package.
  const script =
    'deb=$1 root=$2; shift 2; dpkg-deb --fsys-tarfile "$deb" > "$root.tar" && tar -x --keep-directory-symlink -f "$root.tar" -C "$root" -- "$@"';
  for (const deb of debs) {
    const only = onlyFiles[deb.split("_")[0]!] ?? [];
    await run("/bin/sh", ["-c", script, "sh", join(staging, deb), root, ...only]);
  }
  for (const name of unusedFolders) await rm(join(root, name), { recursive: true, force: true });
  await symlink("dash", join(root, "usr/bin/sh")).catch(() => undefined);
  for (const [name, content] of Object.entries(files)) await writeFile(join(root, name), content);
  await writeFile(join(root, "etc/ssl/certs/ca-certificates.crt"), await certificates(join(root, "usr/share/ca-certificates/mozilla")));
  await rename(root, folder).catch((error: unknown) => {
    if (!existsSync(folder)) throw error;
  });
}

/** What update-ca-certificates would create. */
async function certificates(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".crt")).toSorted();
  return (await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))).join("");
}
