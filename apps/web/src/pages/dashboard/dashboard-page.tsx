import { lazy, Suspense } from "react";
import { redirect, type LoaderFunctionArgs } from "react-router";
import { FirstDaysCard } from "../../features/first-days/first-days-card.tsx";
import { UsageSection } from "../../features/usage/usage-section.tsx";
import { JournalList } from "../../features/workspace/journal/journal-list.tsx";
import { PlanCard } from "../../features/workspace/card/plan-card.tsx";
import { LiveWorkspace } from "../../features/workspace/watch/live-workspace.tsx";
import { WorkspaceCard } from "../../features/workspace/card/workspace-card.tsx";
import { loadPage } from "../../lib/faults/load-page.ts";
import { paths } from "../../lib/paths.ts";
import { freshUser, useMaybeUser } from "../../lib/session/session.ts";
import { LoadingLines } from "../../ui/notices/loaded.tsx";
import { t } from "./words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("dashboard.page") };

/** Only for accounts that are not set up yet. */
const SetupChecklist = lazy(() =>
  loadPage(async () => ({ default: (await import("../../features/sign-up/journey/setup-checklist.tsx")).SetupChecklist })),
);

/** Billing, plan and progress change elsewhere, so the dashboard always reloads the user. */
export const loader = async ({ request }: LoaderFunctionArgs) => ((await freshUser(request)) ? null : redirect(paths.home));

export function Component() {
  const user = useMaybeUser();
  // Signing out clears the user a moment before the login page is shown.
  if (!user) return null;
  return (
    <>
      <h1 className="mb-6 text-2xl font-semibold [overflow-wrap:anywhere]">{t("dashboard.greeting", { name: user.fullName })}</h1>
      {user.account.isSetup ? (
        <Overview />
      ) : (
        <Suspense fallback={<LoadingLines lines={6} />}>
          <SetupChecklist user={user} />
        </Suspense>
      )}
    </>
  );
}

/** Beside each other where there is room; otherwise in this order, with what is to be done in the first days near the top. */
function Overview() {
  const plan = useMaybeUser()?.account.planSpec;
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="min-w-0 space-y-5">
        <LiveWorkspace>{(instance) => <WorkspaceCard instance={instance} />}</LiveWorkspace>
        <FirstDaysCard />
        <UsageSection />
      </div>
      <div className="min-w-0 space-y-5">
        {plan ? <PlanCard plan={plan} /> : null}
        <JournalList />
      </div>
    </div>
  );
}
