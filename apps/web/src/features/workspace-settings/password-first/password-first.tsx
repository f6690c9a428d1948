import { Lock } from "lucide-react";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/notices/empty-state.tsx";
import { t } from "./words.ts";

/** In place of a list that this session may not read without the password. Nothing failed, so it is not an error. */
export function PasswordFirst({ onEnter }: { onEnter: () => void }) {
  return (
    <EmptyState
      icon={<Lock />}
      title={t("passwordFirst.title")}
      action={
        <Button tone="plain" onClick={onEnter}>
          {t("passwordFirst.enter")}
        </Button>
      }
    >
      {t("passwordFirst.text")}
    </EmptyState>
  );
}
