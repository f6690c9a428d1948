/** The repository's half of a release: its folder in the catalogue, its line in the changelog, and the commit with both. */
import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import { readReleases, type QualifiedRelease } from "#apps/provisioner/engines/releases/read-releases.ts";
import { StepStopped } from "./run-steps.ts";

/** A version of an engine, in the clone at `root`. */
export interface Target {
  root: string;
  engine: EngineName;
  version: string;
}

const changelog = "CHANGELOG.md";
const pathOf = ({ engine }: Target, version: string): string => `apps/provisioner/engines/${engine}/releases/${version}`;

/** Newest version first. */
export const releasesIn = ({ root, engine }: Target): QualifiedRelease[] =>
  readReleases(engine, join(root, `apps/provisioner/engines/${engine}/releases`));

export const releaseIn = (target: Target): QualifiedRelease | undefined =>
  releasesIn(target).find(({ version }) => version === target.version);

/** Whether it is qualified, and it and the release after it both record what they changed since the one before. */
export function isRecorded(target: Target): boolean {
  const releases = releasesIn(target);
  const at = releases.findIndex(({ version }) => version === target.version);
  if (at < 0) return false;
  const isRight = (release: QualifiedRelease, before: QualifiedRelease | undefined) => release.changes?.since === before?.version;
  return isRight(releases[at]!, releases[at + 1]) && (at === 0 || isRight(releases[at - 1]!, releases[at]));
}

/** `stable` for a patch of a stable release, whose workspaces are to get it; `newest` for a new minor or major. */
export function usualChannel(releases: readonly Pick<QualifiedRelease, "version" | "channel">[], version: string): "stable" | "newest" {
  const minorOf = (each: string) => each.split(".").slice(0, 2).join(".");
  return releases.some((release) => release.channel === "stable" && minorOf(release.version) === minorOf(version)) ? "stable" : "newest";
}

/** When the release came into this clone: a program that started here before does not include it. */
export const arrivedAt = (target: Target): Date => statSync(join(target.root, pathOf(target, target.version), "release.json")).mtime;

/** The folders that the commit contains: the release's, and that of the next one, which says what it changed since. */
function committedPaths(target: Target): string[] {
  const versions = releasesIn(target).map(({ version }) => version);
  const at = versions.indexOf(target.version);
  return versions.slice(Math.max(at - 1, 0), at + 1).map((version) => pathOf(target, version));
}

function git({ root }: Target, ...args: string[]): string {
  try {
    return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new StepStopped(`git ${args[0]} failed: ${(stderr || message).trim()}`);
  }
}

/** The changelog with the line of this release at the end of what is unreleased for operators. Throws StepStopped. */
export function withChangelogLine(text: string, { engine, version }: Pick<Target, "engine" | "version">, channel: string): string {
  const line = `- ${engine} ${version} is a qualified release, in the channel "${channel}".`;
  if (text.includes(`${line}\n`)) return text;
  const [unreleased, operators] = ["## Unreleased\n", "### For operators\n"];
  const from = text.indexOf(unreleased);
  if (from < 0) throw new StepStopped(`${changelog} has no "## Unreleased". Add it, and run this again.`);
  const start = from + unreleased.length;
  const rest = text.slice(start);
  const end = rest.search(/^## /m);
  const part = end < 0 ? rest : rest.slice(0, end);
  const at = part.indexOf(operators);
  if (at < 0) return `${text.slice(0, start)}\n${operators}\n${line}\n${part === "" ? "\n" : ""}${rest}`;
  const next = part.indexOf("\n### ", at);
  const before = (next < 0 ? part : part.slice(0, next)).trimEnd();
  return `${text.slice(0, start)}${before}\n${line}\n${rest.slice(before.length + 1)}`;
}

/** Before minutes of work: a commit that would take other changes along is refused at its beginning. Throws StepStopped. */
export function refuseUnclean(target: Target): void {
  const committed = git(target, "show", `HEAD:${changelog}`);
  const now = readFileSync(join(target.root, changelog), "utf8");
  const ours = (["stable", "newest"] as const).map((channel) => withChangelogLine(committed, target, channel));
  if (now !== committed && !ours.includes(now))
    throw new StepStopped(`${changelog} has other changes. Commit them first (git diff ${changelog}), and run this again.`);
}

/** Whether the release is committed, with what the next one changed since it: one commit has them and the changelog's line. */
export function isCommitted(target: Target): boolean {
  if (!isRecorded(target)) return false;
  const paths = committedPaths(target);
  const isKnown = git(target, "ls-files", "--", ...paths).includes(`${pathOf(target, target.version)}/release.json`);
  return isKnown && git(target, "status", "--porcelain", "--", ...paths) === "";
}

/** Commits the release with its line in the changelog, and nothing else that is changed or staged. Returns the commit's short name. */
export function commitRelease(target: Target, channel: string): string {
  refuseUnclean(target);
  const path = join(target.root, changelog);
  writeFileSync(path, withChangelogLine(readFileSync(path, "utf8"), target, channel));
  const paths = [...committedPaths(target), changelog];
  git(target, "add", "--", ...paths);
  git(target, "commit", "--quiet", "--only", "--message", `Offer ${target.engine} ${target.version}`, "--", ...paths);
  return git(target, "rev-parse", "--short", "HEAD").trim();
}
