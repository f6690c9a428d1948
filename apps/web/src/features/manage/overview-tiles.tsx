import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { DatabaseBackup, GitBranch } from "lucide-react";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { moment } from "../../lib/formats.ts";
import { paths } from "../../lib/paths.ts";
import { backupsQuery } from "../export/backups-query.ts";
import { versionsQuery } from "../workspace-settings/form/version/versions-query.ts";
import { t as workspaceText } from "../workspace/words.ts";
import { LoadTile } from "./load-tile.tsx";
import { Tile } from "./tile.tsx";
import { t } from "./words.ts";

/** Summaries of three of the places, each a link to it. */
export function OverviewTiles({ instance }: { instance: Instance }) {
  return (
    <ul className="grid gap-4 sm:grid-cols-2">
      <LoadTile />
      <VersionTile instance={instance} />
      <BackupTile />
    </ul>
  );
}

/** The running version, and the newest one that its channel offers. */
function VersionTile({ instance: { engine, versionName, runningVersion, configuration } }: { instance: Instance }) {
  const { data } = useQuery(versionsQuery(versionName));
  const current = data?.versions.findIndex(({ name }) => name === versionName) ?? -1;
  // The newest first: one below the current version is older, such as the newest stable one while a newer one runs.
  const newer = data?.versions
    .slice(0, Math.max(0, current))
    .find(({ channel, isPossible }) => isPossible && (channel === "stable" || configuration.channel === "newest"));
  return (
    <Tile
      to={paths.versions}
      icon={GitBranch}
      name={t("places.overview.version")}
      value={`${workspaceText(`workspace.engines.${engine}`)} ${runningVersion ?? versionName}`}
      note={
        newer ? (
          <span className="font-medium text-accent">{t("places.overview.newer", { version: newer.name })}</span>
        ) : (
          t(configuration.autoUpdate ? "places.overview.updatesOn" : "places.overview.updatesOff")
        )
      }
    />
  );
}

function BackupTile() {
  const { data, error } = useInfiniteQuery(backupsQuery);
  const last = data?.backups.find(({ state }) => state === "successful");
  const value = last ? moment.format(new Date(last.finishedAt ?? last.createdAt)) : t("places.overview.backupNone");
  return (
    <Tile
      to={paths.backups}
      icon={DatabaseBackup}
      name={t("places.overview.backup")}
      value={data ? value : error ? t("places.overview.unknown") : undefined}
      note={data ? t("places.overview.backupKept", { count: data.keptDays }) : " "}
    />
  );
}
