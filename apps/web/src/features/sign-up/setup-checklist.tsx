import { ArrowRight } from "lucide-react";
import type { User } from "#contract/account.ts";
import { paths } from "../../lib/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { StepList, type Step } from "../../ui/step-list.tsx";
import { t } from "../../words/words.ts";

/** For an account that is half-way: what is done, and what is next. */
export function SetupChecklist({ user }: { user: User }) {
  const next = user.confirmed ? { to: paths.setup, label: t("dashboard.continueSetup") } : { to: paths.verifyEmail, label: t("dashboard.continueEmail") };
  return (
    <Card label={t("dashboard.checklistTitle")} className="max-w-2xl p-6 sm:p-8">
      <h2 className="text-xl font-semibold">{t("dashboard.checklistTitle")}</h2>
      <p className="mt-1 mb-6 text-sm text-ink-soft">{t("dashboard.checklistLead")}</p>
      <StepList
        steps={listSteps(user)}
        label={t("journey.label")}
        stateWords={{
          done: t("launching.state.done"),
          current: t("journey.current"),
          waiting: t("launching.state.waiting"),
          failed: t("launching.state.failed"),
        }}
      />
      <ButtonLink to={next.to} className="mt-6">
        {next.label}
        <ArrowRight className="size-4" aria-hidden="true" />
      </ButtonLink>
    </Card>
  );
}

function listSteps(user: User): Step[] {
  return [
    { id: "account", label: t("dashboard.stepAccount"), note: t("dashboard.stepAccountNote", { name: user.username }), state: "done" },
    {
      id: "email",
      label: t("dashboard.stepEmail"),
      note: user.confirmed ? undefined : t("dashboard.stepEmailNote", { email: user.email }),
      state: user.confirmed ? "done" : "current",
    },
    { id: "setup", label: t("dashboard.stepSetup"), note: t("dashboard.stepSetupNote"), state: user.confirmed ? "current" : "waiting" },
    { id: "launch", label: t("dashboard.stepLaunch"), note: t("dashboard.stepLaunchNote"), state: "waiting" },
  ];
}
