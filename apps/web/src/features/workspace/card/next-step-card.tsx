import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useMaybeUser } from "../../../lib/session/session.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { t } from "../words.ts";
import { invitationsQuery } from "../../invitations/invitations-query.ts";
import { nextStep } from "./next-step.ts";
import { useWorkspaceState } from "../state/use-workspace-state.ts";

/** What to do next; nothing where there is nothing. */
export function NextStepCard() {
  const account = useMaybeUser()?.account;
  const state = useWorkspaceState();
  const { data: invited } = useQuery({ ...invitationsQuery, refetchInterval: false });
  if (!account || !state) return null;
  const step = nextStep({ state, billingStatus: account.billing?.status ?? null, others: invited?.invitations.length });
  if (!step) return null;
  return (
    <Card label={t("nextStep.title")} className="p-5 sm:p-6">
      <p className="text-[0.8125rem] text-ink-soft">{t("nextStep.title")}</p>
      <h2 className="text-lg font-semibold">{t(`nextStep.${step.name}.title`)}</h2>
      <p className="mt-1 text-sm text-ink-soft">{t(`nextStep.${step.name}.text`)}</p>
      {step.to ? (
        <ButtonLink to={step.to} tone="plain" className="mt-4">
          {t(`nextStep.${step.name}.action`)}
          <ArrowRight className="size-4" aria-hidden="true" />
        </ButtonLink>
      ) : null}
    </Card>
  );
}
