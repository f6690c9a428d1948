/** Which releases a workspace can be changed to. The facts come with each qualified release. */
import { fieldMessage, type FieldCode } from "#contract/api/field-words.ts";
import type { ReleaseChannel } from "#contract/workspaces/workspace-values.ts";
import type { InstanceVersion, ReleaseChanges } from "#contract/workspaces/workspace-settings.ts";
import { AppError } from "#platform/app-error.ts";
import { isNewer } from "./newer-version.ts";

export interface OfferedRelease {
  version: string;
  releasedAt: string;
  channel: ReleaseChannel;
  /** Number of migrations in its database: two releases with the same number share one schema. */
  migrations: number;
  /** What it changed since the release before it; absent for the oldest. */
  changes?: RecordedChanges | undefined;
  /** Address of the release notes. */
  notes?: string | undefined;
}

/** As the release's folder records it. */
export type RecordedChanges = Omit<ReleaseChanges, "migrations">;

/** With the migrations that the other release does not have. */
function changesOf({ changes, migrations }: OfferedRelease, releases: readonly OfferedRelease[]): ReleaseChanges | undefined {
  const before = releases.find(({ version }) => version === changes?.since);
  return changes && before && { ...changes, migrations: Math.max(0, migrations - before.migrations) };
}

interface VersionFacts {
  desiredVersion: string;
  /** The version that ran last; null before the first start. */
  observedVersion: string | null;
}

/** Migrations that the workspace's database may contain: those of the newest version that ran on it. */
function migrationsBehind(releases: readonly OfferedRelease[], { desiredVersion, observedVersion }: VersionFacts): number {
  const known = releases.filter(({ version }) => version === desiredVersion || version === observedVersion);
  return Math.max(0, ...known.map(({ migrations }) => migrations));
}

/** A version that has left the catalogue: a newer release migrates its database, and an older one might not be able to read it. */
function isPossibleAfter(
  release: OfferedRelease,
  releases: readonly OfferedRelease[],
  { desiredVersion, observedVersion }: VersionFacts,
): boolean {
  const unknown = [desiredVersion, observedVersion].filter((each) => each !== null && releases.every(({ version }) => version !== each));
  return unknown.every((each) => isNewer(release.version, each!));
}

/**
 * Every release as this workspace's owner sees it: whether it needs a migration, and whether it can be reverted. A new workspace (null) can
 * have any.
 */
export function offerVersions(releases: readonly OfferedRelease[], workspace: VersionFacts | null): InstanceVersion[] {
  const behind = workspace && migrationsBehind(releases, workspace);
  return releases.map((release) => {
    const { version, releasedAt, channel, migrations, notes } = release;
    const changes = changesOf(release, releases);
    return {
      name: version,
      releasedAt,
      channel,
      needsMigration: behind !== null && migrations > behind,
      isPossible:
        behind === null ||
        version === workspace?.desiredVersion ||
        (migrations >= behind && isPossibleAfter(release, releases, workspace!)),
      ...(changes ? { changes } : {}),
      ...(notes ? { notes } : {}),
    };
  });
}

const unknown: FieldCode = "version.unknown";
const missing: FieldCode = "version.missing";

/** The version of a new workspace: the chosen one, or the default. Refuses one that is not offered. */
export function newVersion(
  { version, releases, known = releases }: { version: string; releases: readonly OfferedRelease[]; known?: readonly OfferedRelease[] },
  chosen: string | undefined,
): string {
  if (chosen === undefined || releases.some((release) => release.version === chosen)) return chosen ?? version;
  const code = known.some((release) => release.version === chosen) ? missing : unknown;
  throw new AppError("validation_failed", { errors: [{ path: "versionName", code, message: fieldMessage(code) }] });
}
