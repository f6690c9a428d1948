/** What goes into Slipway's image, and that it runs from there. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeMemoryFolder } from "#testing/memory-folder.ts";
import { collectProgram } from "./collect-program.ts";
import { compiledFolder, nodeFolder, programConfig, programFolder, programUser } from "./program-places.ts";

const mb = 1024 ** 2;
/** Root may start it as the image's user, for whom its code was compiled. */
const isRoot = process.getuid?.() === 0;
/** For program, Node and npm. Debian's packages are 50 MB more. */
const mostMb = 300;

let target: string;
let program: string;
beforeAll(async () => {
  target = makeMemoryFolder("slipway-collected-");
  program = join(target, programFolder);
  await collectProgram(target, ["tini_0.19.0-1_amd64"]);
});
afterAll(() => rmSync(target, { recursive: true, force: true }));

/**
 * Runs it like the entry point, from where the files are now. Its errors go to a file, because a full pipe loses what Node's core writes.
 */
function start(args: readonly string[], env: Record<string, string> = {}): { stdout: string; stderr: string } {
  const flags = programConfig.Entrypoint.slice(3).map((flag) => flag.replace(programFolder, program));
  const settings = Object.fromEntries(
    programConfig.Env.map((each) => each.replace(compiledFolder, join(target, compiledFolder)).split(/=(.*)/s)),
  ) as Record<string, string>;
  const log = join(target, "stderr");
  const { stdout } = spawnSync(join(target, nodeFolder, "bin/node"), [...flags, ...args], {
    cwd: program,
    env: { ...settings, ...env },
    encoding: "utf8",
    stdio: ["ignore", "pipe", openSync(log, "w")],
    ...(isRoot && { uid: programUser, gid: programUser }),
  });
  return { stdout, stderr: readFileSync(log, "utf8") };
}

test("it has the server, the built panel and a list of materials, but no tests and no sources of the panel", () => {
  const files = globSync("**", { cwd: program, withFileTypes: true }).filter((entry) => entry.isFile());
  const megabytes = globSync("**", { cwd: target, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size / mb, 0);
  expect(megabytes).toBeLessThan(mostMb);
  expect(files.filter(({ name, parentPath }) => name.includes(".test.") && !parentPath.includes("node_modules"))).toEqual([]);
  for (const there of [
    "apps/main.ts",
    "apps/web/dist/index.html",
    "database/migrations",
    "node_modules/pg",
    "node_modules/@node-rs/argon2",
  ])
    expect(existsSync(join(program, there)), there).toBe(true);
  for (const away of ["apps/web/src/pages", "testing", "e2e", "node_modules/vite", "node_modules/lucide-react", "node_modules/typescript"])
    expect(existsSync(join(program, away)), away).toBe(false);
  const { components } = JSON.parse(readFileSync(join(program, "sbom.cdx.json"), "utf8")) as { components: { name: string }[] };
  expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(["pg", "fastify", "node", "npm", "tini"]));
});

test("operators' commands run from it, with the code precompiled for the image's user", () => {
  const folders = globSync("*", { cwd: join(target, compiledFolder) });
  expect(folders).toEqual([expect.stringMatching(new RegExp(`^v24\\..*-${programUser}$`))]);
  const { stdout, stderr } = start(["apps/ops/main.ts", "help"], { NODE_DEBUG_NATIVE: "COMPILE_CACHE" });
  expect(stdout).toContain("migrate");
  if (isRoot) expect(stderr.match(/^.*reading cache from .*commands\.ts.*$/m)?.[0]).toContain("success");
});

test("unusable files are reported in a sentence, as everywhere", () => {
  expect(start(["apps/main.ts"]).stderr).toContain("SECRET_KEY: production needs a secret key");
});
