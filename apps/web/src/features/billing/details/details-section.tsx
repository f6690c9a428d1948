import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import type { BillingDetails } from "#contract/billing/billing.ts";
import { usePrefetch } from "../../../lib/browser/when-idle.ts";
import { loadPage } from "../../../lib/faults/chunk-reload.ts";
import { Loaded, LoadingLines } from "../../../ui/notices/loaded.tsx";
import { Section } from "../../../ui/section.tsx";
import { t } from "../words.ts";
import { detailsQuery } from "../billing-queries.ts";

/** The last section of a long page: its form is fetched while its answer loads. */
const load = () => import("./details-form.tsx");
const DetailsForm = lazy(() => loadPage(load));

const empty: BillingDetails = { name: "", line1: "", line2: "", postalCode: "", city: "", country: "", vatId: "" };

/** Name and address on invoices. */
export function DetailsSection({ userId, fullName }: { userId: string; fullName: string }) {
  usePrefetch(load);
  const query = useQuery(detailsQuery);
  return (
    <Section title={t("billing.details.title")} lead={t("billing.details.lead")}>
      <Loaded query={query} failed={t("billing.details.notLoaded")} lines={6}>
        {({ details, revision }) => (
          <Suspense fallback={<LoadingLines lines={6} />}>
            <DetailsForm userId={userId} known={{ ...(details ?? { ...empty, name: fullName }), revision }} />
          </Suspense>
        )}
      </Loaded>
    </Section>
  );
}
