import { Place } from "../../ui/place.tsx";
import { t } from "../../features/manage/words.ts";
import { useInstance } from "../../features/workspace/workspace-queries.ts";
import { LiveWorkspace } from "../../features/workspace/watch/live-workspace.tsx";
import { JournalEntries } from "../../features/workspace/journal/journal-entries.tsx";
import { MonitoringSection, RangeChoice } from "../../features/monitoring/monitoring-section.tsx";
import { WebhookSection } from "../../features/monitoring/webhooks/webhook-section.tsx";
import { t as monitoringText } from "../../features/monitoring/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";
import { Section } from "../../ui/section.tsx";

export const handle: PageHandle = { title: () => t("places.nav.monitoring") };

/** What the workspace uses, how its webhooks are answered, and when it stopped. */
export function Component() {
  const hasWorkspace = useInstance() !== null;
  const crashes = (
    <Section title={monitoringText("monitoring.crashes.title")} lead={monitoringText("monitoring.crashes.lead")} flush>
      <JournalEntries
        kind="crashes"
        empty={monitoringText("monitoring.crashes.empty")}
        emptyText={monitoringText("monitoring.crashes.emptyText")}
      />
    </Section>
  );
  return (
    <Place
      title={t("places.nav.monitoring")}
      lead={monitoringText("monitoring.pageLead")}
      action={hasWorkspace ? <RangeChoice /> : null}
      wide
    >
      <LiveWorkspace>
        {({ isBeingDeleted }) => (isBeingDeleted ? crashes : <MonitoringSection below={<WebhookSection below={crashes} />} />)}
      </LiveWorkspace>
    </Place>
  );
}
