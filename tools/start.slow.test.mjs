/** The launcher in a separate clone: real npm, real processes, small stand-ins for the panel's build and the service. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ordinaryUser } from "#testing/program/ordinary-user.ts";
import { root } from "./root.mjs";

const isRoot = process.getuid() === 0;
const somebody = ordinaryUser([process.execPath]);

const service = `
  process.on("SIGTERM", () => setTimeout(() => { console.log("ended in order"); process.exit(0); }, 100));
  console.log("service on Node", process.versions.node.split(".")[0], "in", process.cwd());
  if (process.argv[2] === "wait") setInterval(() => {}, 1000); else process.exit(Number(process.argv[2] ?? 0));
`;
const build = `
  import { writeFileSync } from "node:fs";
  import { join } from "node:path";
  writeFileSync(join(process.argv[process.argv.indexOf("--outDir") + 1], "index.html"), "built");
`;

function write(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

function freshClone(user) {
  const parent = mkdtempSync(join(tmpdir(), "slipway test start "));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const clone = join(parent, "my clöne");
  cpSync(join(root, "tools"), join(clone, "tools"), {
    recursive: true,
    filter: (file) => statSync(file).isDirectory() || /\.[cm]js$/.test(file),
  });
  cpSync(join(root, "platform/host/end-with-parent.mjs"), join(clone, "platform/host/end-with-parent.mjs"));
  const manifest = { name: "clone", version: "1.0.0", type: "module", engines: { node: ">=20.19" } };
  write(join(clone, "package.json"), { ...manifest, dependencies: { vite: "file:stand-ins/vite" } });
  write(join(clone, "package-lock.json"), {
    name: "clone",
    version: "1.0.0",
    lockfileVersion: 3,
    requires: true,
    packages: {
      "": { name: "clone", version: "1.0.0", dependencies: { vite: "file:stand-ins/vite" } },
      "node_modules/vite": { resolved: "stand-ins/vite", link: true },
      "stand-ins/vite": { name: "vite", version: "1.0.0" },
    },
  });
  write(join(clone, "stand-ins", "vite", "package.json"), { name: "vite", version: "1.0.0", type: "module" });
  write(join(clone, "stand-ins", "vite", "bin", "vite.js"), build);
  write(join(clone, "apps", "main.ts"), service);
  write(join(clone, "apps", "web", "page.tsx"), "one");
  write(join(clone, "contract", "fields.ts"), "one");
  const { uid, gid } = user === "ordinary" ? somebody.become : {};
  if (uid) for (const path of ["", ...readdirSync(parent, { recursive: true })]) chownSync(join(parent, path), uid, gid);
  return clone;
}

/** The npm and caches of the clone that runs the tests must not be used in this one. */
function start(clone, user, args, more = {}) {
  const { npm_execpath: _npm, NODE_COMPILE_CACHE: _cache, ...inherited } = process.env;
  const env = { ...inherited, ...more };
  const { prefix, become } = user === "ordinary" ? somebody : { prefix: [], become: {} };
  const [command, ...rest] = [...prefix, process.execPath, join(clone, "tools", "start.mjs"), ...args];
  const home = user === "ordinary" ? { HOME: clone } : {};
  const child = spawn(command, rest, { ...become, env: { ...env, ...home }, cwd: dirname(clone), stdio: ["ignore", "pipe", "pipe"] });
  const run = { child, output: "" };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (run.output += text));
  run.ended = once(child, "close").then(([code]) => code);
  return run;
}

async function startAndEnd(clone, user, ...args) {
  const run = start(clone, user, args);
  return { code: await run.ended, output: run.output };
}

describe.each(isRoot ? ["root", "ordinary"] : ["ordinary"])("as %s, in a folder with a space and an umlaut", (user) => {
  test("a fresh clone is installed, built and started, and the next start does none of it again", async () => {
    const clone = freshClone(user);
    const first = await startAndEnd(clone, user, "7");
    expect(first.output).toMatch(
      /^Installing packages \(npm ci\) … [\d.]+ s\nBuilding the panel … [\d.]+ s\nservice on Node \d+ in .*my clöne\n$/,
    );
    expect(first.code).toBe(7);
    const second = await startAndEnd(clone, user);
    expect(second).toEqual({ code: 0, output: expect.stringMatching(/^service on Node \d+ in .*my clöne\n$/) });
    writeFileSync(join(clone, "contract", "fields.ts"), "two");
    const third = await startAndEnd(clone, user);
    expect(third.output).toMatch(/^Building the panel … [\d.]+ s\nservice on/);
  });
});

test("a signal is passed on, and the launcher ends after the service with its exit code", async () => {
  const clone = freshClone();
  const run = start(clone, undefined, ["wait"]);
  await expect.poll(() => run.output, { timeout: 30_000 }).toContain("service on");
  run.child.kill("SIGTERM");
  expect(await run.ended).toBe(0);
  expect(run.output).toContain("ended in order");
});

test("a failed build is shown, and no service starts on half a panel", async () => {
  const clone = freshClone();
  writeFileSync(join(clone, "stand-ins", "vite", "bin", "vite.js"), 'throw new Error("no such colour")');
  const { code, output } = await startAndEnd(clone);
  expect(code).toBe(1);
  expect(output).toContain("The panel could not be built:");
  expect(output).toContain("no such colour");
  expect(output).not.toContain("service on");
});

test("packages that cannot be installed are reported in npm's words", async () => {
  const clone = freshClone();
  const manifest = { name: "clone", version: "1.0.0", engines: { node: ">=20.19" }, dependencies: { other: "1.0.0" } };
  writeFileSync(join(clone, "package.json"), JSON.stringify(manifest));
  const { code, output } = await startAndEnd(clone);
  expect(code).toBe(1);
  expect(output).toMatch(/Installing packages \(npm ci\) … failed\n\nnpm ci failed:\n[^]*package-lock\.json/);
});

/** Makes the clone's `npm ci` or build wait before it works, and write the numbers of its processes. */
function slowNpm(clone) {
  const bin = join(clone, "bin");
  const npm = `#!/bin/sh\nmkdir -p node_modules\necho $$ >> npm-runs\nsleep 3\nPATH="\${PATH#*:}" exec npm "$@"\n`;
  write(join(bin, "npm"), npm);
  chmodSync(join(bin, "npm"), 0o755);
  return { PATH: `${bin}:${process.env.PATH}` };
}

const npmRuns = (clone) => {
  const file = join(clone, "npm-runs");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : [];
};

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("after a kill during npm ci no npm is at work, and the next start completes the installation", async () => {
  const clone = freshClone();
  const env = slowNpm(clone);
  const first = start(clone, undefined, [], env);
  await expect.poll(() => npmRuns(clone), { timeout: 30_000 }).toHaveLength(1);
  first.child.kill("SIGKILL");
  await first.ended;
  await expect.poll(() => npmRuns(clone).filter(isRunning), { timeout: 30_000 }).toEqual([]);
  const second = start(clone, undefined, [], env);
  expect(await second.ended).toBe(0);
  expect(second.output).toMatch(/^Installing packages \(npm ci\) … [\d.]+ s\nBuilding the panel … [\d.]+ s\nservice on/);
});

test("of two starts together one installs and builds, and the other waits for it", async () => {
  const clone = freshClone();
  const env = slowNpm(clone);
  const starts = [start(clone, undefined, [], env), start(clone, undefined, [], env)];
  expect(await Promise.all(starts.map(({ ended }) => ended))).toEqual([0, 0]);
  expect(npmRuns(clone)).toHaveLength(1);
  const outputs = starts.map(({ output }) => output).toSorted((one, other) => one.length - other.length);
  expect(outputs.filter((output) => output.includes("Installing packages"))).toHaveLength(1);
  expect(outputs.filter((output) => output.includes("Building the panel"))).toHaveLength(1);
  expect(outputs.filter((output) => output.includes("Another command prepares this clone"))).not.toEqual([]);
  for (const output of outputs) expect(output).toContain("service on");
});

test("a build that was killed leaves nothing that the next one keeps, and half a panel is never taken for a whole one", async () => {
  const clone = freshClone();
  const vite = join(clone, "stand-ins", "vite", "bin", "vite.js");
  writeFileSync(vite, `import { writeFileSync } from "node:fs"; writeFileSync("building", ""); setInterval(() => {}, 1000);`);
  const first = start(clone, undefined, []);
  await expect.poll(() => existsSync(join(clone, "building")), { timeout: 30_000 }).toBe(true);
  first.child.kill("SIGKILL");
  await first.ended;
  writeFileSync(vite, build);
  expect((await startAndEnd(clone)).code).toBe(0);
  expect(readdirSync(join(clone, "node_modules", ".cache")).filter((name) => name.startsWith("web-"))).toEqual([]);
  expect(readdirSync(join(clone, "apps", "web", "dist")).toSorted()).toEqual([".built-from", "index.html"]);
});

test("without npm a sentence says where it comes from", async () => {
  const clone = freshClone();
  const run = start(clone, undefined, [], { PATH: join(clone, "no-programs") });
  expect(await run.ended).toBe(1);
  expect(run.output).toMatch(/npm was not found\. Install npm \(it comes with Node\) and try again\.\n$/);
  expect(run.output).not.toMatch(/^ {4}at /m);
});

test.runIf(isRoot && process.platform === "linux")("a full disk is named in a sentence, and with room the start goes on", async () => {
  const clone = freshClone();
  // The folder of the packages, on a disk without room for a file.
  const modules = join(clone, "node_modules");
  mkdirSync(modules);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=4k,nr_inodes=1", "none", modules]);
  onTestFinished(() => void spawnSync("umount", ["-l", modules]));
  const { code, output } = await startAndEnd(clone);
  expect(code).toBe(1);
  expect(output).toMatch(/\nThe packages need [\d.]+ GB\. The disk of .*my clöne is full\. Make room and try again\.\n$/);
  expect(output).not.toMatch(/^ {4}at |npm error/m);
  execFileSync("umount", ["-l", modules]);
  expect((await startAndEnd(clone)).code).toBe(0);
});

test("an old Node is refused in a sentence, before it reads a module that it does not understand", () => {
  const pretend = `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"12.22.12"})`;
  const refusal = join(root, "tools", "process", "refuse-old-node.cjs");
  const { status, stderr } = spawnSync(process.execPath, ["--import", pretend, "-e", `require(${JSON.stringify(refusal)})`], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^\nSlipway needs Node 20\.19 or later to start; this is .*\. Install a newer one and try again\.\n$/),
  });
  // Node 10 and 12 read this file, and nothing else.
  const code = readFileSync(refusal, "utf8").replaceAll(/\/\*[^]*?\*\//g, "");
  expect(code).not.toMatch(/=>|`|,\s*\)|\?\?|\?\.|\b(const|let|import|class|async)\b/);
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const name of ["start", "dev", "test"]) expect(scripts[name]).toContain("node -r ./tools/process/refuse-old-node.cjs tools/");
  expect(readFileSync(join(root, "tools", "set-up", "set-up.mjs"), "utf8")).toMatch(
    /^\/\*\*.*\nimport "\.\.\/process\/refuse-old-node\.cjs";/,
  );
});
