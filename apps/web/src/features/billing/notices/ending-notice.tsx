import { useQuery } from "@tanstack/react-query";
import { subscriptionQuery } from "../billing-queries.ts";
import { useWorkspaceState } from "../../workspace/state/use-workspace-state.ts";
import { ArrangedNotice } from "./arranged-notice.tsx";
import { CancelledNotice } from "./cancelled-notice.tsx";

/**
 * The plan expires at the end of its billing cycle, and resubscribing keeps the workspace; null where it does not expire, and
 * where the workspace's card says so.
 */
export function EndingNotice() {
  const { data: subscription } = useQuery(subscriptionQuery);
  const state = useWorkspaceState();
  if (!state || state.kind === "expiring") return null;
  if (!subscription?.cancelAt || subscription.status === "deleted") return null;
  if (subscription.isArranged) return <ArrangedNotice cancelAt={subscription.cancelAt} />;
  return <CancelledNotice cancelAt={subscription.cancelAt} deletionAt={subscription.deletionAt} />;
}
