import type { ApiError } from "../../../lib/api/api-error.ts";
import { buttonClass } from "../../../ui/button.tsx";
import { t } from "../words.ts";
import { followableUrl } from "./follow-link.ts";

/** The link to the bank's confirmation, if the provider has a page for it; otherwise what to do instead. */
export function ConfirmPaymentLink({ error }: { error: ApiError }) {
  const url = error.detail ? confirmationPage(error.detail) : null;
  if (!url) return <p className="text-ink-soft">{t("plans.confirm.noConfirmPage")}</p>;
  return (
    <a href={url} className={buttonClass()}>
      {t("plans.confirm.confirmPayment")}
    </a>
  );
}

/** The detail is an address or a sentence: only a complete address becomes a link. */
const confirmationPage = (detail: string): string | null => (/^https?:\/\/\S+$/.test(detail.trim()) ? followableUrl(detail.trim()) : null);
