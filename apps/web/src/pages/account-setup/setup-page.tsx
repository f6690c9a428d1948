import { ChevronRight, Rocket } from "lucide-react";
import { useMemo } from "react";
import { Controller, useForm } from "react-hook-form";
import { useNavigate } from "react-router";
import { workspacePurposes, type WorkspacePurpose } from "#contract/accounts/account-values.ts";
import { placeFieldErrors } from "../../features/credentials/place-field-errors.ts";
import { registrationTitle } from "../../features/sign-up/registration/registration-title.ts";
import { JourneySteps } from "../../features/sign-up/journey/journey-steps.tsx";
import { BackButton, StepCard, StepFooter } from "../../features/sign-up/journey/step-card.tsx";
import { forgetTemplateId, keptTemplateId } from "../../features/sign-up/template-redirect.ts";
import { guessTimezone, listTimezones, matchesTimezone, timeIn, timezoneOffset } from "../../features/workspace/launch/timezones.ts";
import { VersionChoice } from "../../features/workspace/launch/version-choice.tsx";
import { callApi } from "../../lib/api/api-client.ts";
import { hasCode } from "../../lib/api/api-error.ts";
import { loadFrontEndConfig, useFrontEndConfig } from "../../lib/front-end-config.ts";
import { useLateRules } from "../../lib/forms/use-late-rules.ts";
import { paths } from "../../lib/paths.ts";
import { queryClient } from "../../lib/api/query-client.ts";
import { refreshUser, updateUser, useMaybeUser } from "../../lib/session/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { useNow } from "../../lib/browser/use-now.ts";
import { Button } from "../../ui/button.tsx";
import { Combobox } from "../../ui/form/combobox.tsx";
import { SelectField } from "../../ui/form/select-field.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { t as workspaceText } from "../../features/workspace/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";
import { fieldMessage } from "../../lib/errors/field-message.ts";
import { t } from "./words.ts";

export const handle: PageHandle = { title: () => t("setup.page") };

export function Component() {
  const timezones = useMemo(() => listTimezones(), []);
  const now = new Date(useNow(30_000));
  const { form, launch } = useSetupForm(timezones);
  const { errors, isSubmitting } = form.formState;
  const { instanceOperations } = useFrontEndConfig();
  return (
    <form onSubmit={(event) => void form.handleSubmit(launch.run)(event)} noValidate>
      <StepCard
        footer={
          <StepFooter
            back={<BackButton to={paths.inviteTeammate} />}
            above={
              instanceOperations ? null : (
                <p id="operations-off" className="mb-3 text-[0.8125rem] text-ink-soft">
                  {workspaceText("manage.operationsOff")}
                </p>
              )
            }
          >
            <Button
              type="submit"
              disabled={!instanceOperations}
              aria-describedby={instanceOperations ? undefined : "operations-off"}
              pending={isSubmitting}
              pendingText={t("setup.pending")}
            >
              <Rocket className="size-4" aria-hidden="true" />
              {t("setup.submit")}
            </Button>
          </StepFooter>
        }
      >
        <JourneySteps current="setup" className="mb-6" />
        <h1 className="text-2xl font-semibold">{t("setup.title")}</h1>
        <p className="mt-1 text-ink-soft">{t("setup.lead")}</p>
        {launch.error ? <ErrorNotice error={launch.error} {...registrationTitle(launch.error)} className="mt-5" /> : null}
        <div className="mt-6 grid items-start gap-4 *:mt-0 sm:grid-cols-2">
          <SelectField
            {...form.register("purpose")}
            label={t("setup.purpose")}
            hint={t("setup.purposeHint")}
            error={errors.purpose?.message && fieldMessage(errors.purpose.message)}
            options={[
              { value: "", label: t("setup.purposeOpen") },
              ...workspacePurposes.map((purpose) => ({ value: purpose, label: t(`setup.purposes.${purpose}`) })),
            ]}
          />
          <Controller
            control={form.control}
            name="timezone"
            render={({ field }) => (
              // A refused timezone moves the focus here.
              <div ref={(box) => field.ref(box && { focus: () => box.querySelector("button")?.focus() })}>
                <Combobox
                  label={t("setup.timezone")}
                  items={timezones}
                  value={field.value || null}
                  onChange={(value) => field.onChange(value ?? "")}
                  onBlur={field.onBlur}
                  matches={matchesTimezone}
                  detail={(timezone) => timezoneOffset(timezone, now)}
                  placeholder={workspaceText("timezones.choose")}
                  searchLabel={workspaceText("timezones.search")}
                  emptyText={workspaceText("timezones.none")}
                  hint={field.value ? workspaceText("timezones.hint", { time: timeIn(field.value, now) ?? "" }) : undefined}
                  error={errors.timezone?.message && fieldMessage(errors.timezone.message)}
                />
              </div>
            )}
          />
        </div>
        <Controller
          control={form.control}
          name="version"
          render={({ field }) => (
            <VersionChoice
              value={field.value}
              onChange={field.onChange}
              around={(choice) => (
                <details className="group mt-5 text-sm">
                  <summary className="flex w-fit cursor-pointer list-none items-center gap-1 rounded-sm text-ink-soft hover:text-ink">
                    {t("setup.advanced")}
                    <ChevronRight className="size-4 shrink-0 transition-transform group-open:rotate-90" aria-hidden="true" />
                  </summary>
                  <div className="pt-3">{choice}</div>
                </details>
              )}
            />
          )}
        />
        <WhatYouGet />
      </StepCard>
    </form>
  );
}

interface LaunchValues {
  /** "" is left open. */
  purpose: WorkspacePurpose | "";
  timezone: string;
  /** "" is the newest one. */
  version: string;
}

function useSetupForm(timezones: readonly string[]) {
  const navigate = useNavigate();
  const form = useForm<LaunchValues>({
    resolver: useLateRules(async () => (await import("./setup-rules.ts")).setupRules),
    mode: "onTouched",
    defaultValues: { timezone: guessTimezone(timezones), purpose: "", version: "" },
  });
  const launch = useAction(async ({ timezone, purpose, version }: LaunchValues) => {
    const templateId = keptTemplateId();
    try {
      updateUser(
        (
          await callApi("setUpAccount", {
            body: {
              timezone,
              ...(purpose ? { purpose } : {}),
              ...(version ? { versionName: version } : {}),
              ...(templateId ? { templateId } : {}),
            },
          })
        ).user,
      );
      forgetTemplateId();
    } catch (error) {
      if (placeFieldErrors(error, ["purpose", "timezone"], form.setError)) return;
      if (hasCode(error, "instance_operations_off")) void loadFrontEndConfig();
      // Launched in another tab: watch that launch.
      if (!hasCode(error, "account_already_set_up")) throw error;
      await refreshUser();
    }
    queryClient.removeQueries({ queryKey: ["workspace"] });
    await navigate(paths.launching, { replace: true });
  });
  return { form, launch };
}

function WhatYouGet() {
  const { engine, workspaceHost } = useFrontEndConfig();
  const user = useMaybeUser();
  const rows = [
    [t("setup.address"), `${user?.username}.${workspaceHost}`],
    [t("setup.engine"), workspaceText(`workspace.engines.${engine}`)],
    [t("setup.trial"), t("setup.trialText")],
  ];
  return (
    <dl className="mt-6 divide-y divide-line rounded-lg border border-line bg-sunken text-sm">
      {rows.map(([name, value]) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-4 gap-y-0.5 px-3.5 py-2.5">
          <dt className="text-ink-soft">{name}</dt>
          <dd className="font-medium [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
