/** The state shown by the workspace's card, for components beside it that must not repeat it. */
import { useQuery } from "@tanstack/react-query";
import { useMaybeUser } from "../../../lib/session/session.ts";
import { useNow } from "../../../lib/browser/use-now.ts";
import { workspaceQuery } from "../workspace-queries.ts";
import { workspaceState, type WorkspaceState } from "./workspace-state.ts";

/** Null until the workspace was loaded; it asks for nothing itself. */
export function useWorkspaceState(): WorkspaceState | null {
  const nowMs = useNow(60_000);
  const account = useMaybeUser()?.account;
  const { data: instance } = useQuery({ ...workspaceQuery, enabled: false });
  return account && instance !== undefined ? workspaceState({ ...account, instance }, nowMs) : null;
}
