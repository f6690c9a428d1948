import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { buttonClass, type ButtonTone } from "../../ui/button.tsx";
import { t } from "../billing/upgrade/words.ts";

interface RequestByMailProps {
  subject?: string;
  label?: string;
  tone?: ButtonTone;
  className?: string;
}

/** Writes to support; by default to request a plan that is not in the catalogue. */
export function RequestByMail({
  subject = t("upgrade.byMail.subject"),
  label = t("upgrade.byMail.action"),
  tone = "plain",
  className,
}: RequestByMailProps) {
  const { supportEmail } = useFrontEndConfig();
  if (!supportEmail) return <p className="text-sm text-ink-soft">{t("upgrade.byMail.none")}</p>;
  return (
    <a href={`mailto:${supportEmail}?subject=${encodeURIComponent(subject)}`} className={buttonClass(tone, className)}>
      {label}
    </a>
  );
}
