import type { OfferedRelease } from "#domain/workspaces/offered-release.ts";
import type { EngineRelease } from "../engine.ts";

/** A qualified release as customers choose it. */
export const offeredRelease = ({ version, releasedAt, channel, migrations, notes }: EngineRelease): OfferedRelease => ({
  version,
  releasedAt,
  channel,
  migrations: migrations ?? 0,
  notes,
});
