import { useState } from "react";
import type { Subscription } from "#contract/billing/billing.ts";
import { Button } from "../../../ui/button.tsx";
import { t } from "../words.ts";
import { CancelDialog } from "./cancel-dialog.tsx";
import { Section } from "../../../ui/section.tsx";

/** The way out, with what it means. */
export function CancelSection({ subscription, accountName }: { subscription: Subscription; accountName: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section title={t("billing.cancel.title")} lead={t("billing.cancel.text")}>
      <Button tone="plain" onClick={() => setIsOpen(true)} className="text-danger">
        {t("billing.cancel.open")}
      </Button>
      {isOpen ? <CancelDialog subscription={subscription} accountName={accountName} onClose={() => setIsOpen(false)} /> : null}
    </Section>
  );
}
