import { ArrowDown, ArrowUp } from "lucide-react";
import { t } from "../../billing/words.ts";
import type { PlanChange } from "./what-changes.ts";

interface PlanChangesProps {
  title: string;
  changes: readonly PlanChange[];
  className?: string;
}

/** What a plan adds and removes, compared with what the account has. */
export function PlanChanges({ title, changes, className }: PlanChangesProps) {
  return (
    <div className={className}>
      <h3 className="text-[0.8125rem] font-semibold text-ink-soft">{title}</h3>
      <ul className="mt-2 grid gap-x-6 gap-y-1.5 text-sm @md:grid-cols-2">
        {changes.map((change) => (
          <Change key={`${change.text} ${change.isMore}`} change={change} />
        ))}
      </ul>
    </div>
  );
}

function Change({ change: { text, isMore } }: { change: PlanChange }) {
  const Sign = isMore ? ArrowUp : ArrowDown;
  return (
    <li className="flex gap-2.5">
      <Sign className={`mt-[3px] size-4 shrink-0 ${isMore ? "text-success" : "text-warning"}`} strokeWidth={2.5} aria-hidden="true" />
      <span>
        <span className="sr-only">{`${t(isMore ? "plans.changes.more" : "plans.changes.less")}: `}</span>
        {text}
      </span>
    </li>
  );
}
