import type { Instance } from "#contract/workspaces/workspace.ts";
import { useMaybeUser } from "../../../lib/session/session.ts";
import { useNow } from "../../../lib/browser/use-now.ts";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { t } from "../words.ts";
import { runs, workspaceState, type WorkspaceStateKind } from "./workspace-state.ts";

const looks: Record<Exclude<WorkspaceStateKind, "none">, { tone: BadgeTone; live?: true }> = {
  "setting-up": { tone: "accent", live: true },
  starting: { tone: "accent", live: true },
  ready: { tone: "success" },
  trial: { tone: "success" },
  expiring: { tone: "warning" },
  pending: { tone: "accent", live: true },
  offline: { tone: "danger" },
  stopped: { tone: "quiet" },
  paused: { tone: "danger" },
  "scheduled-for-deletion": { tone: "danger" },
  deleting: { tone: "danger", live: true },
};

/** The workspace's state in a word and a colour. */
export function StateBadge({ instance }: { instance: Instance }) {
  const nowMs = useNow(60_000);
  const account = useMaybeUser()?.account;
  const state = account && workspaceState({ ...account, instance }, nowMs);
  if (!state || state.kind === "none") return null;
  if (instance.asleepSince && runs(state)) return <Badge tone="quiet">{t("workspace.asleep.badge")}</Badge>;
  const { tone, live = false } = looks[state.kind];
  return (
    <Badge tone={tone} live={live}>
      {t(`workspace.state.${state.kind}.badge`)}
    </Badge>
  );
}
