import { ArrowRight } from "lucide-react";
import { useCallback, useMemo, type ReactNode } from "react";
import { useLoaderData, useNavigate, useRevalidator } from "react-router";
import { AppPicker } from "../../features/app-selection/app-picker.tsx";
import { AppTray } from "../../features/app-selection/app-tray.tsx";
import { appNames, appsOf, type App } from "../../features/app-selection/apps-of-nodes.ts";
import { loadApps, type AppCatalogue } from "../../features/app-selection/apps-query.ts";
import { orderApps } from "../../features/app-selection/order-apps.ts";
import { nextPath, rememberOnboarding } from "../../features/sign-up/journey/journey.ts";
import { JourneySteps } from "../../features/sign-up/journey/journey-steps.tsx";
import { StepActions } from "../../features/sign-up/journey/step-actions.tsx";
import { StepCard } from "../../features/sign-up/journey/step-card.tsx";
import { analytics } from "../../lib/analytics/analytics.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { paths } from "../../lib/paths.ts";
import { knownUser, useMaybeUser } from "../../lib/session/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { useDraft } from "../../lib/use-draft.ts";
import { Button } from "../../ui/button.tsx";
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

/** The catalogue, and the earlier choice from any device. If loading fails, the step can be skipped. */
export async function loader({ request }: { request: Request }): Promise<Loaded> {
  try {
    const [catalogue, { apps }] = await Promise.all([loadApps(request.signal), callApi("getSelectedApps")]);
    return { catalogue, chosen: apps, error: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { catalogue: null, chosen: [], error };
  }
}

/** The same apps chosen in another order are no change. */
const inAnyOrder = (names: readonly string[]): string => names.toSorted().join(" ");

export function Component() {
  const { catalogue, chosen, error } = useLoaderData<Loaded>();
  const { revalidate } = useRevalidator();
  if (catalogue) return <Choice catalogue={catalogue} before={chosen} />;
  return (
    <Step>
      <ErrorNotice error={error} title={t("apps.loadFailed")} onRetry={() => void revalidate()} />
    </Step>
  );
}

/** Begins with the earlier choice, so it is shown only once that is known. */
function Choice({ catalogue, before }: { catalogue: AppCatalogue; before: readonly string[] }) {
  const apps = useOfferedApps(catalogue);
  const user = useMaybeUser();
  const [saved, change, forget] = useDraft<readonly string[]>(`apps.${user?.id}`, appNames(apps, before), inAnyOrder);
  const chosen = useMemo(() => appNames(apps, saved), [apps, saved]);
  const save = useSaveApps(forget);
  // The same function for all rows, so that neither typing nor choosing re-renders unchanged rows.
  const toggle = useCallback(
    (name: string) =>
      change((names) => {
        const now = appNames(apps, names);
        return now.includes(name) ? now.filter((other) => other !== name) : [...now, name];
      }),
    [apps, change],
  );
  const above = (
    <>
      <AppTray apps={apps} version={catalogue.version} chosen={chosen} onRemove={toggle} />
      {save.error ? <ErrorNotice error={save.error} title={t("apps.saveFailed")} className="mb-4" /> : null}
    </>
  );
  const submit = (
    <Button pending={save.pending} pendingText={t("apps.saving")} onClick={() => void save.run(chosen)}>
      {chosen.length > 0 ? t("apps.submitWith", { count: chosen.length }) : t("apps.submit")}
      <ArrowRight className="size-4" aria-hidden="true" />
    </Button>
  );
  return (
    <Step above={above} submit={submit}>
      <AppPicker apps={apps} version={catalogue.version} chosen={chosen} onToggle={toggle} />
    </Step>
  );
}

/** `above` and `submit` are in the footer. */
function Step({ above, submit, children }: { above?: ReactNode; submit?: ReactNode; children: ReactNode }) {
  return (
    <StepCard
      footer={
        <StepActions step="apps" back={paths.survey} above={above}>
          {submit}
        </StepActions>
      }
    >
      <JourneySteps current="apps" className="mb-6" />
      <h1 className="text-2xl font-semibold">{t("apps.title")}</h1>
      <p className="mt-1 mb-5 text-ink-soft">{t("apps.lead")}</p>
      {children}
    </StepCard>
  );
}

/** The offered apps, in order; the engine's own tools are labelled with its name. */
function useOfferedApps(catalogue: AppCatalogue): readonly App[] {
  const { engine } = useFrontEndConfig();
  const provider = workspaceText(`workspace.engines.${engine}`);
  return useMemo(
    () => orderApps(appsOf(engine, catalogue.nodes), (name) => t("apps.provider", { name, provider })),
    [engine, catalogue, provider],
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
