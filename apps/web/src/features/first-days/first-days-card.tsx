import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, X } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { FirstDayStep } from "#contract/accounts/account-values.ts";
import type { FirstDays } from "#contract/accounts/onboarding/first-days.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { notify } from "../../lib/notices/notices.ts";
import { paths } from "../../lib/paths.ts";
import { notifyWithUndo } from "../../lib/notices/undo-notice.ts";
import { classNames } from "../../ui/class-names.ts";
import { Card } from "../../ui/card.tsx";
import { useShownState } from "../workspace/state/use-shown-state.ts";
import { firstDaysQuery } from "./first-days-query.ts";
import { t } from "./words.ts";

/** What to do in the first days, each step checked by the service; hidden once everything is done or it was dismissed. */
export function FirstDaysCard() {
  const { data } = useQuery(firstDaysQuery);
  const state = useShownState();
  const dismiss = useDismiss();
  if (!data || data.isOver || !state?.isCalm) return null;
  const done = data.steps.filter(({ isDone }) => isDone).length;
  return (
    <Card label={t("firstDays.title")} className="p-5 sm:p-6">
      <div className="flex items-start justify-between gap-3">
        <div>
          <h2 className="font-semibold">{t("firstDays.title")}</h2>
          <p className="mt-0.5 text-[0.8125rem] text-ink-soft tabular-nums">
            {t("firstDays.progress", { done, count: String(data.steps.length) })}
          </p>
        </div>
        <button
          type="button"
          aria-label={t("firstDays.dismiss")}
          title={t("firstDays.dismiss")}
          onClick={() => void dismiss()}
          className="-mt-1 -mr-1.5 grid size-8 shrink-0 place-items-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink"
        >
          <X className="size-4" aria-hidden="true" />
        </button>
      </div>
      <div className="mt-3 flex gap-1" aria-hidden="true">
        {data.steps.map(({ name }, index) => (
          <span key={name} className={classNames("h-1.5 flex-1 rounded-full", index < done ? "bg-accent" : "bg-line")} />
        ))}
      </div>
      <ol className="mt-4 grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2 xl:grid-cols-3">
        {data.steps.map((step) => (
          <StepLine key={step.name} step={step} />
        ))}
      </ol>
    </Card>
  );
}

/** Steps that have a page of the panel; the others are done in the workspace. */
const pages: Partial<Record<FirstDayStep, string>> = { teammate: paths.inviteTeammate, backup: paths.backups };

function StepLine({ step: { name, isDone } }: { step: FirstDays["steps"][number] }) {
  const page = pages[name];
  const title: ReactNode = t(`firstDays.steps.${name}.title`);
  return (
    <li className="flex gap-3">
      <span
        className={classNames(
          "mt-0.5 grid size-4.5 shrink-0 place-items-center rounded-full border-2",
          isDone ? "border-success bg-success text-surface" : "border-line-strong",
        )}
        aria-hidden="true"
      >
        {isDone ? <Check className="size-3" strokeWidth={3.5} /> : null}
      </span>
      <div className="min-w-0">
        <p className={isDone ? "text-ink-soft" : "font-medium"}>
          {page && !isDone ? (
            <Link to={page} className="link">
              {title}
            </Link>
          ) : (
            title
          )}
          <span className="sr-only"> ({t(isDone ? "firstDays.done" : "firstDays.toDo")})</span>
        </p>
        {isDone ? null : <p className="text-[0.8125rem] text-ink-soft">{t(`firstDays.steps.${name}.text`)}</p>}
      </div>
    </li>
  );
}

/** Hides the list immediately, and shows it again if that could not be saved. */
function useDismiss() {
  const queries = useQueryClient();
  return async () => {
    const before = queries.getQueryData(firstDaysQuery.queryKey);
    await queries.cancelQueries({ queryKey: firstDaysQuery.queryKey });
    if (before) queries.setQueryData(firstDaysQuery.queryKey, { ...before, isOver: true });
    try {
      await callApi("dismissFirstDays");
    } catch {
      queries.setQueryData(firstDaysQuery.queryKey, before);
      return notify("warning", t("firstDays.dismissFailed"));
    }
    notifyWithUndo(t("firstDays.dismissed"), {
      async run() {
        await callApi("restoreFirstDays");
        await queries.invalidateQueries({ queryKey: firstDaysQuery.queryKey });
      },
    });
  };
}
