import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { buildNativePackages } from "./native-packages.ts";

let place: string;
beforeEach(async () => void (place = await mkdtemp(join(tmpdir(), "slipway-native-"))));
afterEach(() => rm(place, { recursive: true }));

/** Replaces npm: records where and by which Node it was called, and "compiles" as make does, never below a path with a space. */
const npm = `
const { appendFileSync, mkdirSync, writeFileSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
appendFileSync("LOG", JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), node: process.argv0 }) + "\\n");
const folder = join(process.cwd(), "node_modules", "compiled");
if (process.argv.includes("install")) {
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "compiled", version: dependencies.compiled, main: "build/it.js" }));
}
if (process.argv.includes("rebuild") && !/\\s/.test(process.cwd() + process.argv0)) {
  mkdirSync(join(folder, "build"), { recursive: true });
  writeFileSync(join(folder, "build", "it.js"), "module.exports = 'built'");
}
`;

interface NpmCall {
  args: string[];
  cwd: string;
  node: string;
}

async function build(folderName: string): Promise<{ calls: NpmCall[]; folder: string; keepFolder: string }> {
  const folder = join(place, folderName, "tree");
  const keepFolder = join(place, folderName, "kept");
  const log = join(place, "calls");
  const npmCli = join(place, "npm-cli.js");
  const nodeBinary = join(place, folderName, "node", "bin", "node");
  await mkdir(dirname(nodeBinary), { recursive: true });
  await symlink(process.execPath, nodeBinary);
  await writeFile(npmCli, npm.replace('"LOG"', JSON.stringify(log)));
  await mkdir(join(folder, "node_modules", "compiled"), { recursive: true });
  await writeFile(
    join(folder, "node_modules", "compiled", "package.json"),
    JSON.stringify({ name: "compiled", version: "1.2.3", main: "build/it.js" }),
  );
  await buildNativePackages({
    subject: "n8n 1.0.0",
    folder,
    keepFolder,
    packages: [{ name: "compiled", binary: "build/it.js" }],
    nodeBinary,
    npmCli,
    npmArgs: [],
  });
  const calls = (await readFile(log, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as NpmCall);
  return { calls, folder, keepFolder };
}

test("a package is compiled in place if its path has no space", async () => {
  const { calls, folder } = await build("plain");
  expect(calls.map(({ cwd, args }) => [cwd, args[0]])).toEqual([[folder, "rebuild"]]);
  expect(await readFile(join(folder, "node_modules/compiled/build/it.js"), "utf8")).toContain("built");
});

test("below a folder with a space it is compiled elsewhere, in the same version, and copied back", async () => {
  const { calls, folder } = await build("My Slipway");
  expect(calls.map(({ args }) => args[0])).toEqual(["install", "rebuild"]);
  for (const { cwd, node } of calls) expect(`${cwd} ${node}`.match(/\s/g)).toHaveLength(1);
  expect(await readFile(join(folder, "node_modules/compiled/build/it.js"), "utf8")).toContain("built");
});
