import { ConfirmPaymentLink } from "../../../features/billing/checkout/confirm-payment-link.tsx";
import { OtherCard } from "../../../features/billing/card/other-card.tsx";
import { hasCode } from "../../../lib/api/api-error.ts";
import { paths } from "../../../lib/paths.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { t } from "../../../features/billing/words.ts";

/** Why a change was not made, and how to fix it. */
export function ChangeTrouble({ error, title }: { error: unknown; title: string }) {
  return <ErrorNotice error={error} title={title} action={<WayOut error={error} />} />;
}

function WayOut({ error }: { error: unknown }) {
  if (hasCode(error, "payment_action_required")) {
    return (
      <>
        <ConfirmPaymentLink error={error} />
        <OtherCard />
      </>
    );
  }
  if (hasCode(error, "payment_declined")) return <OtherCard />;
  if (hasCode(error, "plan_withdrawn") || hasCode(error, "plan_not_found") || hasCode(error, "subscription_not_found"))
    return <ButtonLink to={paths.changePlan}>{t("plans.back")}</ButtonLink>;
  return null;
}
