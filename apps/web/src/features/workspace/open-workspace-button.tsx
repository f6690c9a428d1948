import { ExternalLink } from "lucide-react";
import { Button, type ButtonTone } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Notice } from "../../ui/notices/notice.tsx";
import { t } from "./words.ts";
import { useState } from "react";
import { callApi } from "../../lib/api/api-client.ts";
import { useAction } from "../../lib/use-action.ts";

interface OpenWorkspaceButtonProps {
  disabled?: boolean;
  className?: string;
  /** The page of the workspace to open. */
  path?: string;
  label?: string;
  tone?: ButtonTone;
  /** Called when it was opened, in the new tab or through the link. */
  onOpened?: () => void;
}

/** Opens the workspace in a new tab, or shows the link if the browser forbids that. */
export function OpenWorkspaceButton({ disabled = false, className, path, label, tone = "primary", onOpened }: OpenWorkspaceButtonProps) {
  const { open, pending, error, blockedUrl } = useOpenWorkspace(path, onOpened);
  return (
    <div className={className}>
      <Button
        tone={tone}
        disabled={disabled}
        pending={pending}
        pendingText={t("workspace.opening")}
        onClick={open}
        className="max-sm:w-full"
      >
        {label ?? t("workspace.open")}
        <ExternalLink className="size-4" aria-hidden="true" />
        <span className="sr-only">({t("common.newTab")})</span>
      </Button>
      {error ? <ErrorNotice error={error} title={t("workspace.openFailed")} className="mt-3" /> : null}
      {blockedUrl ? (
        <Notice tone="info" title={t("workspace.openHere")} className="mt-3">
          <a href={blockedUrl} target="_blank" rel="noreferrer" className="link" onClick={onOpened}>
            {new URL(blockedUrl).host}
          </a>
        </Notice>
      ) : null}
    </div>
  );
}

/**
 * Opens the workspace in a new tab, signed in. The tab opens within the click, before the link is known, because browsers block tabs that
 * open later. If even that is blocked, `blockedUrl` is the link to show. `onOpened` runs once the tab goes there.
 */
function useOpenWorkspace(path?: string, onOpened?: () => void) {
  const [blockedUrl, setBlockedUrl] = useState<string | null>(null);
  const open = useAction(async (tab: Window | null) => {
    setBlockedUrl(null);
    const blocked = await openWorkspace(tab, path);
    if (blocked === null) onOpened?.();
    else setBlockedUrl(blocked);
  });
  return { open: () => void open.run(window.open("", "_blank")), pending: open.pending, error: open.error, blockedUrl };
}

/**
 * Sends a tab that was opened within the click to the workspace; returns the link if there is no such tab. Closes the tab after a failure.
 */
export async function openWorkspace(tab: Window | null, path?: string): Promise<string | null> {
  try {
    const { url } = await callApi("getInstanceUrl", { query: { path } });
    if (!tab || tab.closed) return url;
    // The workspace runs its tenant's code, so it gets no handle on the panel.
    tab.opener = null;
    tab.location.replace(url);
    return null;
  } catch (error) {
    tab?.close();
    throw error;
  }
}
