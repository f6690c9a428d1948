/**
 * The files of Slipway's image beyond Debian's: the program with its built panel and the packages it needs, Node, npm, and precompiled
 * code. The Dockerfile and the tool without a builder both use what is collected here.
 */
import { execFile } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { chmod, copyFile, cp, mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { findNpm } from "#apps/provisioner/engines/install/run-npm.ts";
import { serverFlags } from "../process/server-flags.mjs";
import { buildWeb } from "../set-up/build-web.mjs";
import { findNode24 } from "../set-up/node24.mjs";
import { billOfMaterials } from "./bill-of-materials.ts";
import { findNeeded, namedIn, type Lock } from "./needed-packages.ts";
import { compiledFolder, dataFolder, nodeFolder, programFolder, programUser } from "./program-places.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

/** The program's own files, besides the built panel. */
const sources = ["apps/main.ts", "apps/{api,gateway,ops,program,provisioner}", "contract", "database", "domain", "payments", "platform"];
const single = ["package.json", "LICENSE", "tools/process/quick-modules.mjs", "tools/process/server-flags.mjs"];
const isForTests = (path: string): boolean => /\.test\.|\.suite\.|^database\/releases(\/|$)/.test(path);
/** What packages contain besides the code they run: types, source maps, tests and documentation. License files stay. */
const isUnused = (name: string): boolean =>
  (/\.(?:[cm]?ts|map|md|markdown|flow)$/i.test(name) && !/licen[cs]e|notice|copying/i.test(name)) || [".bin", ".cache"].includes(name);

const users = `root:x:0:0:root:/root:/bin/sh\nslipway:x:${programUser}:${programUser}::${dataFolder}:/bin/sh\nnobody:x:65534:65534::/nonexistent:/bin/false\n`;
const groups = `root:x:0:\nslipway:x:${programUser}:\nnogroup:x:65534:\n`;
/** An operator's commands: `kubectl exec deployment/slipway-worker -- slipway-ops help`. */
const opsCommand = `#!/bin/sh\nexport SLIPWAY_IN_IMAGE=1\nexec ${nodeFolder}/bin/node --import=file://${programFolder}/tools/process/quick-modules.mjs ${programFolder}/apps/ops/main.ts "$@"\n`;

/** Loaded so that it is precompiled: everything a process may import, now or later. */
const loaded = [
  "apps/program/start-program.ts",
  "apps/ops/commands.ts",
  "apps/ops/run-command.ts",
  "apps/ops/open-context.ts",
  "apps/provisioner/drivers/kubernetes/create-kubernetes-driver.ts",
  "domain/backups/storage/s3-storage.ts",
  "platform/tracing/otlp-tracer.ts",
];

/** Fills the new folder `target`, which becomes the root of the image. `debian`: the packages below it, for the list of materials. */
export async function collectProgram(target: string, debian: readonly string[]): Promise<void> {
  const node = findNode24();
  await buildWeb(node);
  const program = join(target, programFolder);
  const own = globSync(
    sources.flatMap((each) => [each, `${each}/**`]),
    { cwd: root, withFileTypes: true },
  )
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !isForTests(path));
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  // The server knows the panel's addresses and answers. If it needed more of the panel, loading it below would fail.
  const texts = own.filter((path) => /\.m?ts$/.test(path)).map(read);
  const ofPanel = texts.flatMap((text) => [...text.matchAll(/^import .* from "#(apps\/web\/.+)";$/gm)].map((match) => match[1]!));
  const files = [...own, ...new Set(ofPanel)];
  for (const path of [...files, ...single]) {
    await mkdir(dirname(join(program, path)), { recursive: true });
    await copyFile(join(root, path), join(program, path));
  }
  await cp(join(root, "apps/web/dist"), join(program, "apps/web/dist"), { recursive: true });

  const lock = (JSON.parse(read("package-lock.json")) as { packages: Lock }).packages;
  const packages = findNeeded(lock, namedIn(texts, Object.keys(lock[""]!.dependencies!)), (path) => existsSync(join(root, path)));
  for (const path of packages) await copyPackage(join(root, path), join(program, path));

  await mkdir(join(target, nodeFolder, "bin"), { recursive: true });
  await copyFile(node, join(target, nodeFolder, "bin/node"));
  const npmCli = findNpm();
  if (npmCli === undefined) throw new Error("There is no npm to put into the image.");
  const npm = dirname(dirname(npmCli));
  await copyPackage(npm, join(target, nodeFolder, "lib/node_modules/npm"), { nested: true });
  await writeFile(join(target, nodeFolder, "bin/slipway-ops"), opsCommand);
  await chmod(join(target, nodeFolder, "bin/slipway-ops"), 0o755);

  await mkdir(join(target, "etc"));
  await writeFile(join(target, "etc/passwd"), users);
  await writeFile(join(target, "etc/group"), groups);
  await compile(target, node);
  const versionIn = (folder: string) => (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string }).version;
  const { stdout } = await run(node, ["--version"]);
  const bill = { version: versionIn(root), lock, packages, node: stdout.trim().slice(1), npm: versionIn(npm), debian };
  await writeFile(join(program, "sbom.cdx.json"), billOfMaterials(bill));
  // Compiled code is readable by its owner alone, and sources have the permissions of the clone.
  await run("chmod", ["-R", "u=rwX,go=rX", target]);
}

/** Without packages inside it, which have their own path in the lock, unless `nested`. */
const copyPackage = (from: string, to: string, { nested = false } = {}): Promise<void> =>
  cp(from, to, {
    recursive: true,
    dereference: true,
    filter: (path) => path === from || ((nested || basename(path) !== "node_modules") && !isUnused(basename(path))),
  });

/** Loads the collected program as it will be started, so it also fails here if a file or a package is missing. */
async function compile(target: string, node: string): Promise<void> {
  const program = join(target, programFolder);
  const flags = serverFlags.map((flag) => flag.replace(pathToFileURL(root).href, pathToFileURL(program).href));
  const load = `await Promise.all(${JSON.stringify(loaded)}.map((path) => import("./" + path)));`;
  const folder = join(target, compiledFolder);
  const env = { PATH: process.env["PATH"], NODE_COMPILE_CACHE: folder, NODE_COMPILE_CACHE_PORTABLE: "1" };
  await run(node, [...flags, "--input-type=module", "-e", load], { cwd: program, env });
  // Node keeps each user's cache separate, by the number at the end of the name.
  for (const name of await readdir(folder)) await rename(join(folder, name), join(folder, name.replace(/-\d+$/, `-${programUser}`)));
}
