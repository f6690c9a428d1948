import type { UsedLimits } from "#contract/workspaces/monitoring/usage.ts";
import { paths } from "../../lib/paths.ts";
import { useMaybeUser } from "../../lib/session/session.ts";
import { ButtonLink, type ButtonTone } from "../../ui/button.tsx";
import { Notice } from "../../ui/notices/notice.tsx";
import { t } from "./words.ts";
import { usageLevel } from "./forecast.ts";
import { formatDay } from "./format-usage.ts";

/** Says that the plan is nearly or fully used, and what to do; nothing otherwise. */
export function UsageNotice({ usage, tone = "plain" }: { usage: UsedLimits; tone?: ButtonTone }) {
  const isTrial = useMaybeUser()?.account.planSpec?.metadata.group === "trial";
  const { executions, activeWorkflows, limits, timeframe } = usage;
  const level = usageLevel(executions, limits.executions);
  const action = (
    <ButtonLink to={paths.changePlan} tone={tone}>
      {t("usage.seePlans")}
    </ButtonLink>
  );
  // A trial has no further period to wait for.
  const date = isTrial || !timeframe.endsAt ? null : formatDay(timeframe.endsAt);
  if (level === "reached") {
    return (
      <Notice tone="danger" title={t("usage.reached.title")} action={action}>
        {date ? t("usage.reached.text", { date }) : t("usage.reached.trialText")}
      </Notice>
    );
  }
  if (level === "nearly") {
    return (
      <Notice
        tone="warning"
        title={t("usage.nearly.title", { percent: Math.floor((executions / limits.executions) * 100) })}
        action={action}
      >
        {date ? t("usage.nearly.text", { date }) : t("usage.nearly.trialText")}
      </Notice>
    );
  }
  if (usageLevel(activeWorkflows, limits.activeWorkflows) !== "reached") return null;
  return (
    <Notice tone="info" title={t("usage.workflowsReached.title")} action={action}>
      {t("usage.workflowsReached.text")}
    </Notice>
  );
}
