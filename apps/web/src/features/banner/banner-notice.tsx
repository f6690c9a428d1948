import { X } from "lucide-react";
import { useEffect, type ReactNode } from "react";
import { loadFrontEndConfig } from "../../lib/front-end-config.ts";
import { paths } from "../../lib/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import "../../words/add-banner-words.ts";
import { t } from "../../words/words.ts";
import type { Banner } from "./current-banner.ts";
import { sessionExpired } from "./session-expired.ts";

/** Operations come back without anybody's doing here: often enough to be noticed, seldom enough to be nothing. */
const askAgainMs = 60_000;

/** What is the matter and the way out; only what is over by now can be closed. */
export default function BannerNotice({ banner, className }: { banner: Banner; className: string }) {
  useEffect(() => {
    if (banner !== "technicalIssues") return;
    const timer = setInterval(() => void loadFrontEndConfig(), askAgainMs);
    return () => clearInterval(timer);
  }, [banner]);
  const isOver = banner === "sessionExpired";
  return (
    <section aria-label={t("banner.label")} className={className}>
      <div className="relative rounded-lg bg-surface text-ink">
        <Notice tone={banner === "paused" ? "danger" : "warning"} title={t(`banner.${banner}.title`)} action={actionOf(banner)} className={isOver ? "pr-11" : ""}>
          {t(`banner.${banner}.text`)}
        </Notice>
        {isOver ? (
          <button
            type="button"
            aria-label={t("common.dismiss")}
            onClick={() => sessionExpired.set(false)}
            className="absolute top-2 right-2 grid size-8 place-items-center rounded-md text-ink-soft hover:text-ink [--focus:var(--color-accent)]"
          >
            <X className="size-4" aria-hidden="true" />
          </button>
        ) : null}
      </div>
    </section>
  );
}

function actionOf(banner: Banner): ReactNode {
  if (banner !== "paused" && banner !== "pastDue") return null;
  return <ButtonLink to={paths.billing}>{t(`banner.${banner}.action`)}</ButtonLink>;
}
