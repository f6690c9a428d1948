/** For testers of the sandbox: the service's time, and the payment failures to simulate. Shown below the page, covering nothing. */
import { ChevronDown, FlaskConical } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { paths } from "../../lib/paths.ts";
import { localValues } from "../../lib/browser/stored-value.ts";
import { useNow } from "../../lib/browser/use-now.ts";
import { t } from "./words.ts";
import { ClockControls } from "./clock-controls.tsx";
import { serviceTime } from "./service-time.ts";
import { WebhookControls } from "./webhook-controls.tsx";

const dayMs = 86_400_000;
const openKey = "developer-bar";

export function DeveloperBar() {
  const [isOpen, setOpen] = useState(() => localValues.read(openKey) === "open");
  const { clockAheadMs, developmentInbox } = useFrontEndConfig();
  const nowMs = useNow(15_000);
  const days = Math.round(clockAheadMs / dayMs);
  return (
    <aside aria-label={t("developer.label")} className="below-page border-t border-line bg-sunken text-[0.8125rem] text-ink-soft">
      <details
        open={isOpen}
        onToggle={({ currentTarget }) => {
          setOpen(currentTarget.open);
          localValues.write(openKey, currentTarget.open ? "open" : "closed");
        }}
        className="group mx-auto max-w-6xl px-4 sm:px-6"
      >
        <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-3 gap-y-0.5 py-2 hover:text-ink">
          <FlaskConical className="size-4 text-warning" aria-hidden="true" />
          <span className="font-semibold text-ink">{t("developer.label")}</span>
          <span>
            {t("developer.time")}: <time dateTime={new Date(nowMs).toISOString()}>{serviceTime(nowMs)}</time>
          </span>
          {days > 0 ? (
            <span className="rounded-full bg-warning-soft px-2 py-0.5 text-warning">
              {t("developer.ahead", { days: t("developer.days", { count: days }) })}
            </span>
          ) : null}
          <ChevronDown className="ml-auto size-4 group-open:rotate-180" aria-hidden="true" />
        </summary>
        {isOpen ? (
          <div className="grid gap-6 pt-1 pb-5 md:grid-cols-2">
            <ClockControls />
            <WebhookControls />
            <p className="md:col-span-2">
              {t("developer.about")}{" "}
              {developmentInbox ? (
                <Link to={paths.developmentInbox} className="link">
                  {t("developer.inbox")}
                </Link>
              ) : null}
            </p>
          </div>
        ) : null}
      </details>
    </aside>
  );
}
