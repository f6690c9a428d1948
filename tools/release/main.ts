/** `npm run release -- 0.2.0 [--dry-run]`: cuts version and changelog, keeps a dump of the database, commits and tags. Pushes nothing. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cutChangelog, isLater, ReleaseRefused, withChartVersion, withImageVersion, withVersion } from "./cut-release.ts";

const root = join(import.meta.dirname, "../..");
const [version = "", ...options] = process.argv.slice(2);
const isDry = options.includes("--dry-run");
const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const read = (name: string): string => readFileSync(join(root, name), "utf8");
const print = (line: string) => void process.stdout.write(`${line}\n`);

function release(): void {
  if (!/^\d+\.\d+\.\d+$/.test(version) || options.some((option) => option !== "--dry-run"))
    throw new ReleaseRefused("Usage: npm run release -- 0.2.0 [--dry-run]");
  const dump = `database/releases/${version}.sql`;
  const { version: current } = JSON.parse(read("package.json")) as { version: string };
  const isFirst = version === current && git("tag", "--list") === "";
  if (!isFirst && !isLater(version, current)) throw new ReleaseRefused(`${version} does not come after ${current}.`);
  if (git("tag", "--list", `v${version}`)) throw new ReleaseRefused(`There is a tag v${version} already.`);
  const changes = git("status", "--porcelain");
  if (changes) throw new ReleaseRefused(`Commit or remove these first:\n${changes}`);
  const files = {
    "CHANGELOG.md": cutChangelog(read("CHANGELOG.md"), version, new Date().toISOString().slice(0, 10)),
    "package.json": withVersion(read("package.json"), version),
    "package-lock.json": withVersion(read("package-lock.json"), version),
    "deploy/chart/Chart.yaml": withChartVersion(read("deploy/chart/Chart.yaml"), version),
    "deploy/one-server/env.example": withImageVersion(read("deploy/one-server/env.example"), version),
  };
  if (isDry) return print(`Would write ${[...Object.keys(files), dump].join(", ")}, commit "Release ${version}" and tag v${version}.`);

  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  print(`Writing and testing ${dump}, which takes a minute.`);
  execFileSync(process.execPath, [join(root, "tools/run.mjs"), "node_modules/vitest/vitest.mjs", "run", "database/releases"], {
    cwd: root,
    env: { ...process.env, SLIPWAY_DUMP_RELEASE: version },
    stdio: "inherit",
  });
  if (!existsSync(join(root, dump))) throw new ReleaseRefused(`${dump} was not written.`);
  git("add", "--", dump, ...Object.keys(files));
  git("commit", "--quiet", "--message", `Release ${version}`);
  git("tag", "--annotate", "--message", `Slipway ${version}`, `v${version}`);
  print(
    `\nReleased ${version} in this clone. Next:\n  npm test\n  git push --follow-tags\nTo take it back before that: git tag -d v${version} && git reset --hard HEAD~1`,
  );
}

try {
  release();
} catch (error) {
  if (!(error instanceof ReleaseRefused)) throw error;
  process.stderr.write(`\n${error.message}\n\n`);
  process.exitCode = 1;
}
