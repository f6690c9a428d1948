/** After a change that was made here, the panel says when the workspace is back (SPEC §4). A workspace that comes back by itself is shown, not announced. */
import { useEffect, useRef } from "react";
import type { Instance } from "#contract/workspace.ts";
import { notify } from "../../lib/notices.ts";
import { t } from "../../words/words.ts";
import { isOnline } from "./workspace-status.ts";

let isAwaited = false;

/** From now on the workspace's coming back is news. */
export const awaitOnline = (): void => void (isAwaited = true);

/** Says 'Your workspace is now online.' once the awaited workspace is. */
export function useOnlineNotice(instance: Instance | null | undefined): void {
  const wasOnline = useRef<boolean>(undefined);
  useEffect(() => {
    if (!instance) return;
    const isBack = isOnline(instance) && wasOnline.current === false;
    wasOnline.current = isOnline(instance);
    if (!isBack || !isAwaited) return;
    isAwaited = false;
    notify("success", t("launching.online"));
  }, [instance]);
}
