import { ArrowRight } from "lucide-react";
import { useLoaderData, useNavigate, useRevalidator } from "react-router";
import { AppPicker } from "../../features/app-selection/app-picker.tsx";
import { loadApps, type AppCatalogue } from "../../features/app-selection/apps-query.ts";
import { nextPath, rememberOnboarding } from "../../features/sign-up/journey/journey.ts";
import { JourneySteps } from "../../features/sign-up/journey/journey-steps.tsx";
import { StepActions } from "../../features/sign-up/journey/step-actions.tsx";
import { analytics } from "../../lib/analytics/analytics.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { knownUser, useMaybeUser } from "../../lib/session/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { useDraft } from "../../lib/use-draft.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { t } from "../../features/sign-up/words.ts";
import { t as workspaceText } from "../../features/workspace/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("apps.page") };

interface Loaded {
  catalogue: AppCatalogue | null;
  chosen: string[];
  error: ApiError | null;
}

/** The catalogue, and what was chosen before on whatever device. A failure leaves the step to be skipped. */
export async function loader({ request }: { request: Request }): Promise<Loaded> {
  try {
    const [catalogue, { apps }] = await Promise.all([loadApps(request.signal), callApi("getSelectedApps")]);
    return { catalogue, chosen: apps, error: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { catalogue: null, chosen: [], error };
  }
}

export function Component() {
  const { catalogue, chosen: before, error } = useLoaderData<Loaded>();
  const { revalidate } = useRevalidator();
  const { engine } = useFrontEndConfig();
  const user = useMaybeUser();
  const [chosen, change, forget] = useDraft<readonly string[]>(`apps.${user?.id}`, before);
  const save = useSaveApps(forget);
  return (
    <div className="mx-auto max-w-3xl">
      <JourneySteps current="apps" className="mb-6" />
      <Card className="p-6 sm:p-8">
        <h1 className="text-2xl font-semibold">{t("apps.title")}</h1>
        <p className="mt-1 mb-6 text-ink-soft">{t("apps.lead")}</p>
        {catalogue ? (
          <AppPicker catalogue={catalogue} provider={workspaceText(`workspace.engines.${engine}`)} chosen={chosen} onChange={change} />
        ) : (
          <ErrorNotice error={error} title={t("apps.loadFailed")} onRetry={() => void revalidate()} />
        )}
        {save.error ? <ErrorNotice error={save.error} title={t("apps.saveFailed")} className="mt-5" /> : null}
        <div className="mt-6 border-t border-line pt-5">
          <StepActions step="apps">
            {catalogue ? (
              <Button pending={save.pending} pendingText={t("apps.saving")} onClick={() => void save.run(chosen)}>
                {chosen.length > 0 ? t("apps.submitWith", { count: chosen.length }) : t("apps.submit")}
                <ArrowRight className="size-4" aria-hidden="true" />
              </Button>
            ) : null}
          </StepActions>
        </div>
      </Card>
    </div>
  );
}

function useSaveApps(onSaved: () => void) {
  const navigate = useNavigate();
  return useAction(async (apps: readonly string[]) => {
    const { onboarding } = await callApi("saveSelectedApps", { body: { apps: [...apps] } });
    analytics.track("User selected app", { apps, app_count: apps.length });
    rememberOnboarding(onboarding);
    onSaved();
    await navigate(nextPath(knownUser()));
  });
}
