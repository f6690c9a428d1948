import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ChevronRight, DatabaseBackup, GitBranch, MemoryStick, type LucideIcon } from "lucide-react";
import { useId, type ReactNode } from "react";
import { Link } from "react-router";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { serviceNowMs } from "../../lib/browser/use-now.ts";
import { moment, number } from "../../lib/formats.ts";
import { paths } from "../../lib/paths.ts";
import { Skeleton } from "../../ui/progress/skeleton.tsx";
import { backupsQuery } from "../export/backups-query.ts";
import { pointsOf, scales, summarise } from "../monitoring/chart/plot.ts";
import { versionsQuery } from "../workspace-settings/form/version/versions-query.ts";
import { memoryQuery } from "./memory-query.ts";
import { t as workspaceText } from "../workspace/words.ts";
import { t } from "./words.ts";

/** A summary of three of the places, each a link to it. */
export function OverviewTiles({ instance }: { instance: Instance }) {
  return (
    <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      <MemoryTile />
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

function MemoryTile() {
  const { data, error } = useQuery(memoryQuery);
  const nowMb =
    data &&
    summarise(
      pointsOf(data.samples, ({ memoryMb }) => memoryMb),
      { toMs: serviceNowMs(), freshMs: scales["24h"].freshMs },
    )?.now;
  const value =
    typeof nowMb === "number"
      ? t("places.overview.memoryText", { now: number.format(nowMb), limit: number.format(data!.limitMb) })
      : t(data?.samples.length ? "places.overview.memoryOld" : "places.overview.memoryNone");
  return (
    <Tile
      to={paths.monitoring}
      icon={MemoryStick}
      name={t("places.overview.memory")}
      value={data ? value : error ? t("places.overview.unknown") : undefined}
      note={<MemoryBar share={typeof nowMb === "number" ? Math.min(1, nowMb / data!.limitMb) : 0} />}
    />
  );
}

/** Hidden from screen readers, because the figure beside it says the same. */
function MemoryBar({ share }: { share: number }) {
  return (
    <span aria-hidden="true" className="mt-2 block h-1.5 overflow-hidden rounded-full bg-sunken">
      <span
        className={`block h-full rounded-full ${share > 0.9 ? "bg-danger" : share > 0.75 ? "bg-warning" : "bg-accent"}`}
        style={{ width: `${Math.round(share * 100)}%` }}
      />
    </span>
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

interface TileProps {
  to: string;
  icon: LucideIcon;
  name: string;
  /** Undefined while it is being loaded. */
  value: string | undefined;
  note: ReactNode;
}

function Tile({ to, icon: Icon, name, value, note }: TileProps) {
  const id = useId();
  return (
    <li>
      <Link
        to={to}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-value`}
        className="group block h-full rounded-xl border border-line bg-surface p-4 shadow-card hover:border-line-strong"
      >
        <span className="flex items-center gap-2 text-sm text-ink-soft">
          <Icon className="size-4" aria-hidden="true" />
          <span id={`${id}-name`}>{name}</span>
          <ChevronRight className="ml-auto size-4 opacity-50 transition-opacity group-hover:opacity-100" aria-hidden="true" />
        </span>
        <span id={`${id}-value`} className="mt-2 block min-h-6 font-semibold tabular-nums">
          {value ?? <Skeleton className="h-5 w-28" />}
        </span>
        <span className="mt-0.5 block min-h-5 text-[0.8125rem] text-ink-soft">{note}</span>
      </Link>
    </li>
  );
}
