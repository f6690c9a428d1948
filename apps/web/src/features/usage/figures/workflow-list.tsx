import type { UsedLimits } from "#contract/workspaces/monitoring/usage.ts";
import { formatCount } from "../format-usage.ts";
import { t } from "../words.ts";

type Workflow = NonNullable<UsedLimits["workflows"]>[number];

/**
 * The workflows that ran most in this period; nothing if the workspace does not report them. Closed at first, so that it takes only one
 * line.
 */
export function WorkflowList({ workflows }: { workflows: readonly Workflow[] | null | undefined }) {
  if (!workflows?.length) return null;
  const most = Math.max(1, ...workflows.map(({ executions }) => executions));
  return (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer rounded text-ink-soft hover:text-ink">{t("usage.byWorkflow.title")}</summary>
      <ol className="mt-2 divide-y divide-line border-y border-line">
        {workflows.map(({ id, name, executions, failed }) => (
          <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 py-2">
            {/* Text by the workflow's author: it may be long, in another direction, or empty. */}
            <bdi className="min-w-0 font-medium [overflow-wrap:anywhere] max-sm:w-full sm:flex-1">{name || id}</bdi>
            <span className="flex gap-4 text-ink-soft tabular-nums">
              <span>{t("usage.byWorkflow.executions", { count: formatCount(executions) })}</span>
              <span className={failed > 0 ? "text-danger" : undefined}>
                {t("usage.byWorkflow.failed", { failed: formatCount(failed) })}
              </span>
            </span>
            <span aria-hidden="true" className="h-1 w-full overflow-hidden rounded-full bg-sunken">
              <span className="block h-full rounded-full bg-accent" style={{ width: `${(100 * executions) / most}%` }} />
            </span>
          </li>
        ))}
      </ol>
      <p className="mt-2 text-[0.8125rem] text-ink-soft">{t("usage.byWorkflow.note")}</p>
    </details>
  );
}
