import { useState } from "react";
import { Button, type ButtonTone } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import "../../words/add-billing-words.ts";
import { t } from "../../words/words.ts";
import { useResubscribe } from "./use-resubscribe.ts";

/** Resubscribes. Where that charges the card at once, it asks first. */
export function ResubscribeButton({ charges, tone = "primary" }: { charges: boolean; tone?: ButtonTone }) {
  const resubscribe = useResubscribe();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button tone={tone} pending={resubscribe.pending} pendingText={t("billing.resubscribe.pending")} onClick={() => (charges ? setIsAsking(true) : void resubscribe.run())}>
        {t("billing.resubscribe.action")}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t("billing.resubscribe.confirmTitle")}
        confirmLabel={t("billing.resubscribe.confirmAction")}
        cancelLabel={t("common.cancel")}
        onConfirm={() => void resubscribe.run()}
      >
        {t("billing.resubscribe.confirmText")}
      </ConfirmDialog>
    </>
  );
}
