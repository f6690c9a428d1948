import { Button } from "../../../ui/button.tsx";
import { t } from "../words.ts";
import { useChangeCard } from "./use-change-card.ts";

/** Opens the page for changing the card, shown where the current one fails. */
export function OtherCard() {
  const change = useChangeCard();
  return (
    <>
      <Button tone="plain" pending={change.pending} pendingText={t("billing.card.opening")} onClick={() => void change.run()}>
        {t("billing.card.other")}
      </Button>
      {change.error ? <p className="w-full text-danger">{t("billing.paymentInfoFailed")}</p> : null}
    </>
  );
}
