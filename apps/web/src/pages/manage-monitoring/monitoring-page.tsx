import { Place } from "../../ui/place.tsx";
import { t } from "../../features/manage/words.ts";
import { LiveWorkspace } from "../../features/workspace/watch/live-workspace.tsx";
import { JournalEntries } from "../../features/workspace/journal-list.tsx";
import { MonitoringSection, MoreMonitoring } from "../../features/monitoring/monitoring-section.tsx";
import { WebhookSection } from "../../features/monitoring/webhook-section.tsx";
import { t as monitoringText } from "../../features/monitoring/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";
import { Section } from "../../ui/section.tsx";

export const handle: PageHandle = { title: () => t("places.nav.monitoring") };

/** What the workspace uses, and when it stopped. */
export function Component() {
  return (
    <Place title={t("places.nav.monitoring")} lead={t("places.monitoring.lead")} wide>
      <LiveWorkspace>
        {({ isBeingDeleted }) => (
          <>
            {isBeingDeleted ? null : <MonitoringSection />}
            {isBeingDeleted ? null : <WebhookSection />}
            <Section title={monitoringText("monitoring.crashes.title")} lead={monitoringText("monitoring.crashes.lead")} flush>
              <JournalEntries
                kind="crashes"
                empty={monitoringText("monitoring.crashes.empty")}
                emptyText={monitoringText("monitoring.crashes.emptyText")}
              />
            </Section>
            {/* Last: not every host can tell, and nothing moves when it does. */}
            {isBeingDeleted ? null : <MoreMonitoring />}
          </>
        )}
      </LiveWorkspace>
    </Place>
  );
}
