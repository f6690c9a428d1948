import type { ReactNode } from "react";
import { Link } from "react-router";
import { onboardingSteps, type OnboardingStep } from "#contract/accounts/account-values.ts";
import { paths } from "../../../lib/paths.ts";
import { useMaybeUser } from "../../../lib/session/session.ts";
import { classNames } from "../../../ui/class-names.ts";
import { t } from "../words.ts";

type Stage = "account" | OnboardingStep;
type StageState = "done" | "skipped" | "todo";

interface JourneyStepsProps {
  current: Stage;
  /** How much of the current step is done, from 0 to 1, if it has parts. */
  part?: number;
  /** Beside the step's name, such as the question in view. */
  children?: ReactNode;
  className?: string;
}

/** The progress of the sign-up: one bar in as many pieces as there are steps, and the current step in words. It can be left at any time. */
export function JourneySteps({ current, part = 0.5, children, className }: JourneyStepsProps) {
  const stages = useStages();
  const at = stages.findIndex(({ name }) => name === current);
  return (
    <div className={className}>
      <div className="mb-2 flex items-baseline justify-between gap-4 text-[0.8125rem] text-ink-soft">
        <p>
          <span className="font-semibold text-ink">{t(`journey.${current}`)}</span>
          {children ? <> · {children}</> : null}
        </p>
        <Link to={paths.dashboard} className="link shrink-0">
          {t("journey.later")}
        </Link>
      </div>
      <ol aria-label={t("journey.label")} className="flex gap-1">
        {stages.map(({ name, state }, index) => (
          <li key={name} aria-current={index === at ? "step" : undefined} className="h-1.5 flex-1 overflow-hidden rounded-full bg-line">
            <span
              style={index === at ? { width: `${part * 100}%` } : undefined}
              className={classNames(
                "block h-full rounded-full transition-[width] duration-300 ease-out",
                index === at || state === "done" ? "bg-accent" : state === "skipped" ? "bg-line-strong/60" : "w-0",
              )}
            />
            <span className="sr-only">
              {t(`journey.${name}`)} ({t(index === at ? "journey.current" : `journey.state.${state}`)})
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Registering first, then the server's steps with their states; without an account all of them are still to do. */
function useStages(): { name: Stage; state: StageState }[] {
  const user = useMaybeUser();
  const steps = user?.account.onboarding.steps ?? onboardingSteps.map((name) => ({ name, state: "todo" as const }));
  return [{ name: "account", state: user ? "done" : "todo" }, ...steps];
}
