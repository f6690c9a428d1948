import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cutChangelog, isLater, withChartVersion, withImageVersion, withVersion } from "./cut-release.ts";

test.each([
  ["0.2.0", "0.1.9", true],
  ["1.0.0", "0.99.99", true],
  ["0.10.0", "0.9.0", true],
  ["0.1.0", "0.1.0", false],
  ["0.1.0", "0.2.0", false],
])("%s comes after %s: %s", (next, current, expected) => expect(isLater(next, current)).toBe(expected));

const root = join(import.meta.dirname, "../..");
const changelog = "# Changelog\n\nAbout.\n\n## Unreleased\n\n- New.\n\n## 0.1.0 (2026-11-01)\n\n- Old.\n";

test("unreleased changes move under the version and its day, and the next changes have their place", () => {
  expect(cutChangelog(changelog, "0.2.0", "2026-11-23")).toBe(
    "# Changelog\n\nAbout.\n\n## Unreleased\n\n## 0.2.0 (2026-11-23)\n\n- New.\n\n## 0.1.0 (2026-11-01)\n\n- Old.\n",
  );
  expect(() => cutChangelog(cutChangelog(changelog, "0.2.0", "2026-11-23"), "0.3.0", "2026-11-24")).toThrow("nothing unreleased");
});

test("only the product's own version changes in the lock", () => {
  const lock = readFileSync(join(root, "package-lock.json"), "utf8");
  const { version } = JSON.parse(lock) as { version: string };
  const cut = withVersion(lock, "9.8.7");
  expect(cut.split("9.8.7")).toHaveLength(3);
  expect(withVersion(cut, version)).toBe(lock);
});

test("the chart is released with the program that it installs", () => {
  expect(withChartVersion("apiVersion: v2\nversion: 0.1.0\nappVersion: 0.1.0\n", "9.8.7")).toBe(
    "apiVersion: v2\nversion: 9.8.7\nappVersion: 9.8.7\n",
  );
});

test("the settings of one server name the image of the release", () => {
  const settings = readFileSync(join(root, "deploy/one-server/env.example"), "utf8");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  expect(settings).toContain(`SLIPWAY_IMAGE=localhost/slipway/slipway:${version}\n`);
  expect(withImageVersion(settings, "9.8.7")).toBe(settings.replace(`:${version}\n`, ":9.8.7\n"));
});

/** A repository with the command and its own history. */
function makeClone(): { run(...args: string[]): { status: number | null; output: string }; git(...args: string[]): string } {
  const folder = mkdtempSync(join(tmpdir(), "slipway-release-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "tools"));
  cpSync(join(root, "tools/release"), join(folder, "tools/release"), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, ".gitignore"), "node_modules\n");
  writeFileSync(join(folder, "CHANGELOG.md"), changelog);
  writeFileSync(join(folder, "package.json"), '{ "name": "slipway", "version": "0.1.0", "type": "module" }\n');
  mkdirSync(join(folder, "deploy/chart"), { recursive: true });
  writeFileSync(join(folder, "deploy/chart/Chart.yaml"), "apiVersion: v2\nname: slipway\nversion: 0.1.0\nappVersion: 0.1.0\n");
  mkdirSync(join(folder, "deploy/one-server"));
  writeFileSync(join(folder, "deploy/one-server/env.example"), "SLIPWAY_IMAGE=localhost/slipway/slipway:0.1.0\n");
  writeFileSync(join(folder, "package-lock.json"), '{ "version": "0.1.0", "packages": { "": { "version": "0.1.0" } } }\n');
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: folder, encoding: "utf8" });
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "first");
  return {
    git,
    run(...args) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, "tools/release/main.ts"), ...args], {
        cwd: folder,
        encoding: "utf8",
      });
      return { status, output: stdout + stderr };
    },
  };
}

test("a release is refused with changes in the tree, an older version or an existing tag, and a dry run changes nothing", () => {
  const { run, git } = makeClone();
  expect(run("0.2.0", "--dry-run")).toEqual({
    status: 0,
    output:
      'Would write CHANGELOG.md, package.json, package-lock.json, deploy/chart/Chart.yaml, deploy/one-server/env.example, database/releases/0.2.0.sql, commit "Release 0.2.0" and tag v0.2.0.\n',
  });
  expect(git("status", "--porcelain")).toBe("");
  expect(run("two")).toMatchObject({ status: 1, output: expect.stringContaining("Usage: npm run release -- 0.2.0") });
  expect(run("0.0.9").output).toContain("0.0.9 does not come after 0.1.0.");
  git("tag", "v0.2.0");
  expect(run("0.2.0").output).toContain("There is a tag v0.2.0 already.");
  git("mv", "CHANGELOG.md", "CHANGES.md");
  expect(run("0.3.0").output).toContain("Commit or remove these first:");
});
