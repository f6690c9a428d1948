import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { engineTraits } from "#contract/workspaces/engine-names.ts";
import { useFrontEndConfig } from "../../../lib/front-end-config.ts";
import { paths } from "../../../lib/paths.ts";
import { webhooksQuery, type WebhooksSeen } from "../../monitoring/monitoring-query.ts";
import { answeredPercent, formatLatency } from "../../monitoring/webhooks/webhook-figures.ts";
import { t } from "../words.ts";

/**
 * A summary of the webhooks in the last 24 hours; nothing if the engine's webhooks cannot be recognised. The space for its line is reserved
 * from the start.
 */
export function WebhookLine() {
  const isTold = engineTraits[useFrontEndConfig().engine].webhooks;
  const { data } = useQuery({ ...webhooksQuery("24h"), enabled: isTold });
  if (!isTold) return null;
  return (
    <p className="min-h-10 text-sm tabular-nums sm:min-h-5">
      {data === undefined ? null : (
        <>
          {sentence(data)}{" "}
          <Link to={paths.monitoring} className="whitespace-nowrap text-accent-strong underline">
            {t("usage.webhooks.more")}
          </Link>
        </>
      )}
    </p>
  );
}

function sentence(seen: WebhooksSeen | null): string {
  if (!seen || seen.total.calls === 0) return t("usage.webhooks.none");
  const percent = answeredPercent(seen.total);
  const { medianMs } = seen.total;
  return medianMs === null
    ? t("usage.webhooks.unanswered", { percent })
    : t("usage.webhooks.line", { percent, median: formatLatency(medianMs) });
}
