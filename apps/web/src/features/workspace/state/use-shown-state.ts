import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { useNow } from "../../../lib/browser/use-now.ts";
import { useMaybeUser } from "../../../lib/session/session.ts";
import { backupsQuery, isUnderWay } from "../../export/backups-query.ts";
import { firstDaysQuery } from "../../first-days/first-days-query.ts";
import { isOverQuota } from "../../usage/forecast.ts";
import { usageQuery } from "../../usage/usage-query.ts";
import { workspaceQuery } from "../workspace-queries.ts";
import { panelState, type PanelState } from "./panel-state.ts";
import { shown, type Shown } from "./state-table.ts";

export type ShownState = PanelState & Shown & { instance: Instance | null };

/**
 * The state and what the table shows for it; null until the workspace was loaded. It requests only what the page's card requests anyway.
 */
export function useShownState(): ShownState | null {
  const nowMs = useNow(60_000);
  const account = useMaybeUser()?.account;
  const { data: instance } = useQuery({ ...workspaceQuery, enabled: false });
  const { data: usage } = useQuery({ ...usageQuery, enabled: false });
  const { data: firstDays } = useQuery({ ...firstDaysQuery, enabled: false });
  const isBusy = instance?.status === instanceStatus.pending && !instance.isNew;
  // One that followed a deleted workspace may begin with the restore of its last backup.
  const mayReturn = instance?.status === instanceStatus.pending && instance.isNew && instance.life > 1;
  // The cause, while something is in progress.
  const { data: backups } = useInfiniteQuery({ ...backupsQuery, enabled: isBusy || mayReturn });
  if (!account) return null;
  if (instance === undefined && account.isSetup) return null;
  const state = panelState({
    account: { ...account, instance: instance ?? null },
    isOverQuota: usage ? isOverQuota(usage) : false,
    isRestoring: (isBusy || mayReturn) && isUnderWay(backups?.restore?.state ?? ""),
    isFirstDay: firstDays ? !firstDays.isOver && !firstDays.steps.find(({ name }) => name === "workflow")?.isDone : account.isFirstDay,
    nowMs,
  });
  return { ...state, ...shown(state), instance: instance ?? null };
}
