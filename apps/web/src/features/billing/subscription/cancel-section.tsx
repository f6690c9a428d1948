import { lazy, Suspense, useState } from "react";
import type { Subscription } from "#contract/billing/billing.ts";
import { usePrefetch } from "../../../lib/first-view/when-idle.ts";
import { loadPage } from "../../../lib/faults/load-page.ts";
import { Button } from "../../../ui/button.tsx";
import { Section } from "../../../ui/section.tsx";
import { t } from "../words.ts";

const load = () => import("./cancel-dialog.tsx");
const CancelDialog = lazy(() => loadPage(load));

/** The way to cancel, and what it means. */
export function CancelSection({ subscription, accountName }: { subscription: Subscription; accountName: string }) {
  usePrefetch(load);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section
      anchor="cancel"
      title={t("billing.cancel.title")}
      lead={t(subscription.status === "trialing" ? "billing.cancel.textTrial" : "billing.cancel.text")}
    >
      <Button tone="plain" onClick={() => setIsOpen(true)} className="text-danger">
        {t("billing.cancel.open")}
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          <CancelDialog subscription={subscription} accountName={accountName} onClose={() => setIsOpen(false)} />
        </Suspense>
      ) : null}
    </Section>
  );
}
