import type { OfferedRelease } from "#domain/workspaces/offered-release.ts";
import type { EngineRelease } from "../engine.ts";

/** A qualified release as offered to customers. */
export const offeredRelease = ({ version, releasedAt, channel, migrations, changes, notes }: EngineRelease): OfferedRelease => ({
  version,
  releasedAt,
  channel,
  migrations: migrations ?? 0,
  changes,
  notes,
});
