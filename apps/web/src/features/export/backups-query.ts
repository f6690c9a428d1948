import { infiniteQueryOptions, queryOptions, type InfiniteData } from "@tanstack/react-query";
import type { BackupOverview } from "#contract/workspaces/backup.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";

/** Work in progress ends within seconds; otherwise the list changes only at night. */
const busyMs = 2_000;
const quietMs = 60_000;

export const isUnderWay = (state: string): boolean => state === "waiting" || state === "running";

/** A workspace that should run and is not online yet will be soon: actions that become possible then should be offered then. */
const isBusy = (overview: BackupOverview | undefined): boolean =>
  overview !== undefined &&
  ((overview.canRestore && !overview.canExport) ||
    [...overview.backups, ...overview.exports, ...(overview.restore ? [overview.restore] : [])].some(({ state }) => isUnderWay(state)));

/** The loaded pages as one. Each page also says what is running; the first one is the newest. */
const asOne = ({ pages }: InfiniteData<BackupOverview>): BackupOverview => ({
  ...pages[0]!,
  backups: pages.flatMap(({ backups }) => backups),
});

/** Backups a page at a time, newest first, the newest restore and exports; reloaded while one of them is running. */
export const backupsQuery = infiniteQueryOptions({
  queryKey: ["backups"],
  queryFn: ({ signal, pageParam }) => callApi("listBackups", { query: pageParam ? { before: pageParam } : {}, signal }),
  initialPageParam: "",
  getNextPageParam: ({ next }) => next,
  select: asOne,
  refetchInterval: ({ state }) => (isBusy(state.data && asOne(state.data)) ? busyMs : quietMs),
});

/** Whether there is a successful backup, without loading the list. */
export const hasBackupsQuery = queryOptions({
  queryKey: ["has-backups"],
  queryFn: async ({ signal }): Promise<boolean> => {
    try {
      await callApi("hasBackups", { signal });
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return false;
      throw error;
    }
  },
});
