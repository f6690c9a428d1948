/** The tab's icon: the logo, with a dot in the colour of the workspace's badge while there is something to see. */
import { useEffect } from "react";
import type { BadgeTone } from "../../../ui/marks/badge.tsx";
import { useNow } from "../../../lib/browser/use-now.ts";
import { useMaybeUser } from "../../../lib/session/session.ts";
import { panelState } from "./panel-state.ts";
import { shown } from "./state-table.ts";
import { useShownState } from "./use-shown-state.ts";

const markPath = "/favicon.svg";

/** A tab's theme is unknown, so these colours stand out from the logo and from light and dark tabs. None: no problem. */
const dots: Partial<Record<BadgeTone, string>> = { accent: "#3b9eff", warning: "#f5a524", danger: "#e5484d" };

/** The logo's drawing with a dot in its lower right corner, as a data URL. */
export function markWithDot(mark: string, color: string): string {
  const dot = `<circle cx="24" cy="24" r="7" fill="${color}" stroke="#fff" stroke-width="2"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(mark.trim().replace(/<\/svg>$/, dot))}`;
}

/** Shows the state in the tab. On a page that does not follow the workspace, it is the last known state of the account. */
export default function StateIcon(): null {
  const account = useMaybeUser()?.account;
  const nowMs = useNow(60_000);
  const followed = useShownState();
  const known = account?.instance ? shown(panelState({ account, isOverQuota: false, isRestoring: false, isFirstDay: false, nowMs })) : null;
  const tone = (followed ?? known)?.badge?.tone;
  const color = tone && dots[tone];
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!link || !color) return;
    let isOver = false;
    void fetch(markPath)
      .then(async (answer) => {
        const mark = await answer.text();
        if (answer.ok && !isOver) link.href = markWithDot(mark, color);
      })
      // Without an answer the plain logo stays.
      .catch(() => undefined);
    return () => {
      isOver = true;
      link.href = markPath;
    };
  }, [color]);
  return null;
}
