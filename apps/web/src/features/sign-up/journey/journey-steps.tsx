import { Check, Minus } from "lucide-react";
import { onboardingSteps, type OnboardingStep } from "#contract/accounts/account-values.ts";
import { useMaybeUser } from "../../../lib/session/session.ts";
import { classNames } from "../../../ui/class-names.ts";
import { t } from "../words.ts";

export type Stage = "account" | OnboardingStep;
type StageState = "done" | "skipped" | "todo";

const marks: Record<StageState, string> = {
  done: "bg-success text-surface",
  skipped: "border border-line-strong text-ink-soft",
  todo: "border border-line-strong text-ink-soft",
};

/** The progress of the sign-up: a mark per step, the current one in words. */
export function JourneySteps({ current, className }: { current: Stage | "arrived"; className?: string }) {
  const stages = useStages();
  const at = stages.findIndex(({ name }) => name === current);
  return (
    <div className={className}>
      <p className="mb-2 text-[0.8125rem] text-ink-soft">
        {at === -1 ? t("journey.arrived") : t("journey.position", { position: at + 1, count: stages.length })}
        {at === -1 ? null : <span className="font-semibold text-ink">{` ${t(`journey.${stages[at]!.name}`)}`}</span>}
      </p>
      <ol aria-label={t("journey.label")} className="flex items-center gap-1.5">
        {stages.map(({ name, state }, index) => (
          <li key={name} aria-current={index === at ? "step" : undefined} className="flex items-center gap-1.5 not-last:flex-1">
            <StageMark state={state} number={index + 1} isCurrent={index === at} />
            <span className="sr-only">
              {t(`journey.${name}`)} ({t(index === at ? "journey.current" : `journey.state.${state}`)})
            </span>
            {index < stages.length - 1 ? (
              <span className={classNames("h-px flex-1", state === "done" ? "bg-success" : "bg-line")} aria-hidden="true" />
            ) : null}
          </li>
        ))}
      </ol>
    </div>
  );
}

function StageMark({ state, number, isCurrent }: { state: StageState; number: number; isCurrent: boolean }) {
  const look = isCurrent ? "bg-accent text-on-accent" : marks[state];
  return (
    <span
      className={classNames("grid size-5 shrink-0 place-items-center rounded-full text-[0.6875rem] font-semibold tabular-nums", look)}
      aria-hidden="true"
    >
      {isCurrent || state === "todo" ? (
        number
      ) : state === "done" ? (
        <Check className="size-3" strokeWidth={3} />
      ) : (
        <Minus className="size-3" strokeWidth={3} />
      )}
    </span>
  );
}

/** Registering first, then the server's steps with their states; without an account all of them are still to do. */
function useStages(): { name: Stage; state: StageState }[] {
  const user = useMaybeUser();
  const steps = user?.account.onboarding.steps ?? onboardingSteps.map((name) => ({ name, state: "todo" as const }));
  return [{ name: "account", state: user ? "done" : "todo" }, ...steps];
}
