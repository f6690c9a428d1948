/** The launcher in a separate clone: real npm, real processes, small stand-ins for the panel's build and the service. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
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
  const clone = join(parent, "my clone");
  cpSync(join(root, "tools"), join(clone, "tools"), {
    recursive: true,
    filter: (file) => statSync(file).isDirectory() || file.endsWith(".mjs"),
  });
  write(join(clone, "package.json"), { name: "clone", version: "1.0.0", type: "module", dependencies: { vite: "file:stand-ins/vite" } });
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
function start(clone, user, args) {
  const { npm_execpath: _npm, NODE_COMPILE_CACHE: _cache, ...env } = process.env;
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

describe.each(isRoot ? ["root", "ordinary"] : ["ordinary"])("as %s, in a folder with a space", (user) => {
  test("a fresh clone is installed, built and started, and the next start does none of it again", async () => {
    const clone = freshClone(user);
    const first = await startAndEnd(clone, user, "7");
    expect(first.output).toMatch(
      /^Installing packages \(npm ci\) … [\d.]+ s\nBuilding the panel … [\d.]+ s\nservice on Node \d+ in .*my clone\n$/,
    );
    expect(first.code).toBe(7);
    const second = await startAndEnd(clone, user);
    expect(second).toEqual({ code: 0, output: expect.stringMatching(/^service on Node \d+ in .*my clone\n$/) });
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
  writeFileSync(join(clone, "package.json"), JSON.stringify({ name: "clone", version: "1.0.0", dependencies: { other: "1.0.0" } }));
  const { code, output } = await startAndEnd(clone);
  expect(code).toBe(1);
  expect(output).toMatch(/Installing packages \(npm ci\) … failed\n\nnpm ci failed:\n[^]*package-lock\.json/);
});
