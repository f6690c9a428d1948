import type { ChangePreview } from "#contract/billing/billing.ts";
import type { Money } from "#contract/billing/money/money.ts";
import { dayOf } from "../../../features/billing/dates.ts";
import { comparePreviews, type PreviewDifference } from "./compare-previews.ts";
import { Notice } from "../../../ui/notices/notice.tsx";
import { t } from "../../../features/billing/words.ts";
import { formatMoney } from "../../../features/billing/format-price.ts";

/** The confirmed price has changed: shows the differences before the customer confirms again. */
export function StalePrice({ before, after }: { before: ChangePreview; after: ChangePreview }) {
  const differences = comparePreviews(before, after);
  return (
    <Notice tone="warning" title={t("plans.confirm.stale")}>
      {differences.length > 0 ? (
        <ul className="tabular-nums">
          {differences.map((difference) => (
            <li key={difference.what}>{differenceWords(difference)}</li>
          ))}
        </ul>
      ) : (
        t("plans.confirm.staleSame")
      )}
    </Notice>
  );
}

function differenceWords(difference: PreviewDifference): string {
  const say = (value: string | Money): string => (typeof value === "string" ? dayOf(value) : formatMoney(value));
  return t(`plans.confirm.difference.${difference.what}`, { before: say(difference.before), after: say(difference.after) });
}
