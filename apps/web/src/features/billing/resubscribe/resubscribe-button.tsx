import { useState } from "react";
import { Button, type ButtonTone } from "../../../ui/button.tsx";
import { t } from "../words.ts";
import { ResubscribeDialog } from "./resubscribe-dialog.tsx";

/** Resubscribes, after saying what that does and charges. */
export function ResubscribeButton({ tone = "primary" }: { tone?: ButtonTone }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button tone={tone} onClick={() => setIsAsking(true)}>
        {t("billing.resubscribe.action")}
      </Button>
      {isAsking ? <ResubscribeDialog onClose={() => setIsAsking(false)} /> : null}
    </>
  );
}
