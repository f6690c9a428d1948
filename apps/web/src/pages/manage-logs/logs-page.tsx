import { Place } from "../../ui/place.tsx";
import { t } from "../../features/manage/words.ts";
import { LiveWorkspace } from "../../features/workspace/watch/live-workspace.tsx";
import { LogsSection } from "../../features/logs/logs-section.tsx";
import { t as logsText } from "../../features/logs/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("places.nav.logs") };

/** The workspace's output. */
export function Component() {
  return (
    <Place title={t("places.nav.logs")} lead={logsText("logs.pageLead")} wide>
      <LiveWorkspace>{({ isBeingDeleted }) => (isBeingDeleted ? null : <LogsSection />)}</LiveWorkspace>
    </Place>
  );
}
