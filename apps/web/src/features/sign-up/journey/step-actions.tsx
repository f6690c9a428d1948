import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import type { SkippableStep } from "#contract/accounts/account-values.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { t } from "../words.ts";
import { skipStep } from "./journey.ts";
import { BackButton, StepFooter } from "./step-card.tsx";

interface StepActionsProps {
  step: SkippableStep;
  /** To the part of the sign-up before this one: a page, or an action. */
  back?: string | (() => void) | undefined;
  above?: ReactNode;
  /** Before the step is skipped. */
  onSkip?: () => void;
  /** The button that continues, if it can. */
  children?: ReactNode;
}

/** The buttons of an optional step: back, skip, continue. */
export function StepActions({ step, back, above, onSkip, children }: StepActionsProps) {
  const navigate = useNavigate();
  const skip = useAction(async () => {
    onSkip?.();
    await navigate(await skipStep(step));
  });
  return (
    <StepFooter
      back={back === undefined ? null : <BackButton to={back} />}
      above={
        <>
          {above}
          {skip.error ? <ErrorNotice error={skip.error} className="mb-4" /> : null}
        </>
      }
    >
      <Button tone="quiet" pending={skip.pending} onClick={() => void skip.run()}>
        {t("journey.skip")}
      </Button>
      {children}
    </StepFooter>
  );
}
