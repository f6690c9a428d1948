import { ArrowRight } from "lucide-react";
import { Link } from "react-router";
import type { User } from "#contract/accounts/account.ts";
import type { Onboarding } from "#contract/accounts/onboarding/onboarding.ts";
import { skippableSteps } from "#contract/accounts/account-values.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { StepList, type Step } from "../../../ui/progress/step-list.tsx";
import { useShownState } from "../../workspace/state/use-shown-state.ts";
import { t as workspaceText } from "../../workspace/words.ts";
import { t } from "../words.ts";
import { nextPath, stepPaths } from "./journey.ts";

type OnboardingRow = Onboarding["steps"][number];

/** For an account in the middle of the sign-up: what is done, what was skipped, and the one next step. */
export function SetupChecklist({ user }: { user: User }) {
  const { next } = user.account.onboarding;
  const state = useShownState();
  return (
    <Card label={t("checklist.title")} className="max-w-2xl p-6 sm:p-8">
      <h2 className="text-xl font-semibold">{state ? workspaceText(`headlines.${state.headline}`) : t("checklist.title")}</h2>
      <p className="mt-1 mb-6 text-sm text-ink-soft">{t("checklist.lead")}</p>
      <StepList
        steps={listSteps(user)}
        label={t("journey.label")}
        stateWords={{
          done: t("journey.state.done"),
          skipped: t("journey.state.skipped"),
          current: t("journey.current"),
          waiting: t("journey.state.todo"),
          failed: t("journey.state.todo"),
        }}
      />
      {next ? (
        <ButtonLink to={nextPath(user)} className="mt-6">
          {t(`checklist.continue.${next}`)}
          <ArrowRight className="size-4" aria-hidden="true" />
        </ButtonLink>
      ) : null}
    </Card>
  );
}

function listSteps(user: User): Step[] {
  const { next, steps } = user.account.onboarding;
  return [
    { id: "account", label: t("checklist.account"), note: t("checklist.accountNote", { name: user.username }), state: "done" },
    ...steps.map((step): Step => ({
      id: step.name,
      label: t(`checklist.steps.${step.name}.label`),
      note: <Note step={step} user={user} />,
      state: step.name === next ? "current" : step.state === "todo" ? "waiting" : step.state,
    })),
  ];
}

/** A skipped step can still be done, as long as the workspace is not set up. */
function Note({ step: { name, state }, user }: { step: OnboardingRow; user: User }) {
  if (state === "done") return null;
  if (state === "todo") return name === "verify" ? t("checklist.verifyNote", { email: user.email }) : t(`checklist.steps.${name}.note`);
  const isOpen = skippableSteps.some((step) => step === name) && !user.account.isSetup;
  return (
    <>
      <span aria-hidden="true">{t("journey.state.skipped")}</span>
      {isOpen ? (
        <>
          <span aria-hidden="true">{" · "}</span>
          <Link to={stepPaths[name]} className="link" aria-label={`${t(`checklist.steps.${name}.label`)}: ${t("checklist.doNow")}`}>
            {t("checklist.doNow")}
          </Link>
        </>
      ) : null}
    </>
  );
}
