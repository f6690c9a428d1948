/** What a release changes in the repository's files. */

export class ReleaseRefused extends Error {}

const unreleased = "## Unreleased";

/** Whether `next` comes after `current`; both are `major.minor.patch`. */
export function isLater(next: string, current: string): boolean {
  const [a, b] = [next, current].map((version) => version.split(".").map(Number));
  const at = a!.findIndex((part, index) => part !== b![index]);
  return at >= 0 && a![at]! > b![at]!;
}

/**
 * The changelog with the unreleased changes under this version and day (YYYY-MM-DD). Throws ReleaseRefused if there is nothing to release.
 */
export function cutChangelog(changelog: string, version: string, day: string): string {
  const from = changelog.indexOf(`${unreleased}\n`);
  if (from < 0) throw new ReleaseRefused(`CHANGELOG.md has no "${unreleased}".`);
  const rest = changelog.slice(from + unreleased.length);
  const next = rest.search(/\n## /);
  if (rest.slice(0, next < 0 ? undefined : next).trim() === "") throw new ReleaseRefused("CHANGELOG.md has nothing unreleased.");
  return `${changelog.slice(0, from)}${unreleased}\n\n## ${version} (${day})${rest}`;
}

/** package.json or package-lock.json with this version, otherwise unchanged, byte for byte. */
export function withVersion(json: string, version: string): string {
  const { version: before, packages } = JSON.parse(json) as { version: string; packages?: Record<string, { version?: string }> };
  const places = packages ? 2 : 1;
  // npm writes the version right after the name, at the top and in the entry of the root package.
  let changed = 0;
  const text = json.replaceAll(`"version": "${before}"`, (found) => (changed++ < places ? `"version": "${version}"` : found));
  const after = JSON.parse(text) as typeof packages & { version: string; packages?: Record<string, { version?: string }> };
  if (after.version !== version || (packages && after.packages?.[""]?.version !== version))
    throw new ReleaseRefused("The version is not where npm writes it. Run npm install once, and try again.");
  return text;
}

/** The settings of one server with this version of Slipway's image. */
export const withImageVersion = (env: string, version: string): string => env.replace(/^(SLIPWAY_IMAGE=.*:)[^:\n]*$/m, `$1${version}`);

/** The chart's own file with this version, for the chart and for the program that it installs. */
export const withChartVersion = (yaml: string, version: string): string =>
  yaml.replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`);
