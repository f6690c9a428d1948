import { queryOptions, useQuery } from "@tanstack/react-query";
import { Activity } from "lucide-react";
import { callApi } from "../../lib/api/api-client.ts";
import { number } from "../../lib/formats.ts";
import { paths } from "../../lib/paths.ts";
import { classNames } from "../../ui/class-names.ts";
import { TileFrame, TileValue } from "./tile.tsx";
import { t } from "./words.ts";

/** What the workspace uses now. There is a new measurement each minute. */
const loadQuery = queryOptions({
  queryKey: ["workspace", "load"],
  queryFn: ({ signal }) => callApi("getInstanceLoad", { signal }),
  refetchInterval: 60_000,
});

type Load = Awaited<ReturnType<typeof callApi<"getInstanceLoad">>>;

const resources = [
  { name: "memory", unit: "MB", usedOf: ({ newest }: Load) => newest?.memoryMb, limitOf: ({ limitMb }: Load) => limitMb },
  { name: "cpu", unit: "%", usedOf: ({ newest }: Load) => newest?.cpuPercent, limitOf: ({ cpuLimitPercent }: Load) => cpuLimitPercent },
  { name: "disk", unit: "MB", usedOf: ({ newest }: Load) => newest?.diskMb, limitOf: ({ diskLimitMb }: Load) => diskLimitMb },
] as const;

/** What the workspace uses now against its limits; the tile is as high before the answer as after it. */
export function LoadTile() {
  const { data, error } = useQuery(loadQuery);
  return (
    <TileFrame
      to={paths.monitoring}
      icon={Activity}
      name={t("places.overview.load")}
      aside={asideOf(data, error)}
      className="sm:col-span-2"
    >
      <span className="mt-2 grid gap-x-6 gap-y-3 sm:grid-cols-3">
        {resources.map(({ name, unit, usedOf, limitOf }) => (
          <Meter
            key={name}
            name={t(`places.overview.${name}`)}
            unit={unit}
            // An old measurement says nothing about the present.
            used={data?.isCurrent ? (usedOf(data) ?? null) : null}
            limit={data && limitOf(data)}
            isFailed={Boolean(error && !data)}
          />
        ))}
      </span>
    </TileFrame>
  );
}

function asideOf(load: Load | undefined, error: unknown): string {
  if (!load) return error ? t("places.overview.unknown") : "";
  if (load.isCurrent) return t("places.overview.loadNow");
  return t(load.newest ? "places.overview.loadOld" : "places.overview.loadNone");
}

interface MeterProps {
  name: string;
  unit: "MB" | "%";
  /** Null: not known at present. */
  used: number | null;
  /** Undefined while it is being loaded. */
  limit: number | undefined;
  isFailed: boolean;
}

function Meter({ name, unit, used, limit, isFailed }: MeterProps) {
  const share = used === null || !limit ? 0 : Math.min(1, used / limit);
  return (
    <span className="block">
      <span className="flex items-center justify-between gap-x-3 sm:flex-col sm:items-start">
        <span className="text-sm">{name} </span>
        <TileValue
          value={isFailed ? "–" : limit === undefined ? undefined : amountOf(used, limit, unit)}
          className="flex h-6 grow items-center max-sm:justify-end"
        />
      </span>
      {/* Hidden from screen readers, because the figures beside it say the same. */}
      <span aria-hidden="true" className="mt-1.5 block h-1.5 overflow-hidden rounded-full bg-sunken">
        <span
          className={classNames("block h-full rounded-full", share > 0.9 ? "bg-danger" : share > 0.75 ? "bg-warning" : "bg-accent")}
          style={{ width: `${Math.round(share * 100)}%` }}
        />
      </span>
    </span>
  );
}

function amountOf(used: number | null, limit: number, unit: MeterProps["unit"]): string {
  const most = number.format(limit);
  const isShare = unit === "%";
  if (used === null) return t(isShare ? "places.overview.mostPercent" : "places.overview.mostMb", { limit: most });
  return t(isShare ? "places.overview.percentOf" : "places.overview.mbOf", { used: number.format(used), limit: most });
}
