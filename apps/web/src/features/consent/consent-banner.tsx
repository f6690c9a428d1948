import { chooseConsent } from "../../lib/analytics/consent.ts";
import { withdrawConsent } from "../../lib/analytics/analytics.ts";
import { Button } from "../../ui/button.tsx";
import { t } from "./words.ts";

/** Asks for consent to analytics; both answers are equally easy, and the user can continue without either. */
export function ConsentBanner() {
  return (
    <section
      aria-label={t("consent.label")}
      className="sticky inset-x-0 bottom-0 z-40 border-t border-line bg-raised px-4 py-4 text-ink shadow-pop sm:px-6 [--focus:var(--color-accent)]"
    >
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 gap-y-3">
        <div className="min-w-64 flex-1">
          <h2 className="text-sm font-semibold">{t("consent.title")}</h2>
          <p className="mt-0.5 text-[0.8125rem] text-ink-soft">{t("consent.text")}</p>
        </div>
        <div className="flex gap-2">
          <Button tone="plain" onClick={withdrawConsent}>
            {t("consent.decline")}
          </Button>
          <Button tone="plain" onClick={() => chooseConsent("granted")}>
            {t("consent.allow")}
          </Button>
        </div>
      </div>
    </section>
  );
}
