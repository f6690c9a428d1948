import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { buttonClass, type ButtonTone } from "../../ui/button.tsx";
import "../../words/add-billing-words.ts";
import { t } from "../../words/words.ts";

/** Asks for a plan that is not in the catalogue, by mail (SPEC §9: the subject). */
export function RequestByMail({ tone = "plain", className }: { tone?: ButtonTone; className?: string }) {
  const { supportEmail } = useFrontEndConfig();
  if (!supportEmail) return <p className="text-sm text-ink-soft">{t("plans.enterprise.none")}</p>;
  return (
    <a href={`mailto:${supportEmail}?subject=${encodeURIComponent(t("plans.enterprise.subject"))}`} className={buttonClass(tone, className)}>
      {t("plans.enterprise.action")}
    </a>
  );
}
