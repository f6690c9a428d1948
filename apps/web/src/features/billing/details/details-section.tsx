import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from "react";
import type { BillingDetails } from "#contract/billing/billing.ts";
import { usePrefetch } from "../../../lib/first-view/when-idle.ts";
import { loadPage } from "../../../lib/faults/load-page.ts";
import { isDrafted } from "../../../lib/use-draft.ts";
import { Button } from "../../../ui/button.tsx";
import { Loaded, LoadingLines } from "../../../ui/notices/loaded.tsx";
import { Section } from "../../../ui/section.tsx";
import { t } from "../words.ts";
import { detailsQuery } from "../billing-queries.ts";
import { countryName } from "./country-name.ts";
import { detailsDraft } from "./details-draft.ts";

/** Fetched while the page is read. */
const load = () => import("./details-form.tsx");
const DetailsForm = lazy(() => loadPage(load));

const empty: BillingDetails = { name: "", line1: "", line2: "", postalCode: "", city: "", country: "", vatId: "" };

/** Name and address on invoices, as text until they are edited; entries that were not saved open the form again. */
export function DetailsSection({ userId, fullName }: { userId: string; fullName: string }) {
  usePrefetch(load);
  const query = useQuery(detailsQuery);
  const [isEditing, setEditing] = useState(() => isDrafted(detailsDraft(userId)));
  const action = useRef<HTMLSpanElement>(null);
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    // The keyboard stays where the form was opened.
    if (wasEditing.current && !isEditing) action.current?.querySelector("button")?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  const edit = (
    <span ref={action} className="-my-1.5">
      <Button tone="plain" onClick={() => setEditing(true)} aria-label={query.data?.details ? t("billing.details.editSaid") : undefined}>
        {t(query.data?.details ? "billing.details.edit" : "billing.details.add")}
      </Button>
    </span>
  );
  return (
    <Section title={t("billing.details.title")} lead={t("billing.details.lead")} action={query.data && !isEditing ? edit : null}>
      <Loaded query={query} failed={t("billing.details.notLoaded")} lines={3}>
        {({ details, revision }) =>
          isEditing ? (
            <Suspense fallback={<LoadingLines lines={6} />}>
              <DetailsForm
                userId={userId}
                known={{ ...(details ?? { ...empty, name: fullName }), revision }}
                onClose={() => setEditing(false)}
                onReopen={() => setEditing(true)}
              />
            </Suspense>
          ) : details ? (
            <DetailsText details={details} />
          ) : (
            <p className="text-sm text-ink-soft">{t("billing.details.none")}</p>
          )
        }
      </Loaded>
    </Section>
  );
}

function DetailsText({ details: { name, line1, line2, postalCode, city, country, vatId } }: { details: BillingDetails }) {
  const address = [line1, line2, `${postalCode} ${city}`.trim(), country && countryName(country)].filter(Boolean);
  return (
    <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-3">
      <Fact name={t("billing.details.name")}>{name}</Fact>
      <Fact name={t("billing.details.address")}>
        {address.map((line) => (
          <span key={line} className="block">
            {line}
          </span>
        ))}
      </Fact>
      <Fact name={t("billing.details.vatId")}>{vatId || t("billing.details.noVatId")}</Fact>
    </dl>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-[0.8125rem] text-ink-soft">{name}</dt>
    <dd className="mt-0.5 font-medium [overflow-wrap:anywhere]">{children}</dd>
  </div>
);
