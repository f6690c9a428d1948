import { useState } from "react";
import { callApi } from "../../lib/api/api-client.ts";
import { useAction } from "../../lib/use-action.ts";

/**
 * Opens the workspace in a new tab, signed in. The tab opens within the click, before the link is known: browsers block
 * what opens later. Where even that is blocked, `blockedUrl` is the link to show. `onOpened` runs once the tab goes there.
 */
export function useOpenWorkspace(path?: string, onOpened?: () => void) {
  const [blockedUrl, setBlockedUrl] = useState<string | null>(null);
  const open = useAction(async (tab: Window | null) => {
    setBlockedUrl(null);
    try {
      const { url } = await callApi("getInstanceUrl", { query: { path } });
      if (!tab || tab.closed) return setBlockedUrl(url);
      // The workspace runs its tenant's code: it gets no handle on the panel.
      tab.opener = null;
      tab.location.replace(url);
      onOpened?.();
    } catch (error) {
      tab?.close();
      throw error;
    }
  });
  return { open: () => void open.run(window.open("", "_blank")), pending: open.pending, error: open.error, blockedUrl };
}
