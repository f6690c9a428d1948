import { Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { Button } from "../../ui/button.tsx";
import { Section } from "../../ui/section.tsx";
import { t } from "./words.ts";
import { t as workspaceText } from "../workspace/words.ts";
import { DeleteDialog } from "./delete-dialog.tsx";

/** What cannot be undone, apart from everything else. */
export function DangerZone({ life }: { life: number }) {
  const id = useId();
  const [isAsking, setIsAsking] = useState(false);
  const { instanceOperations } = useFrontEndConfig();
  return (
    <Section title={t("settings.danger.title")} lead={t("settings.danger.lead")} className="border-danger/40">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p id={id} className="min-w-0 flex-1 basis-72 text-sm text-ink-soft">
          {instanceOperations ? t("settings.danger.text") : workspaceText("manage.operationsOff")}
        </p>
        <Button
          tone="danger"
          disabled={!instanceOperations}
          aria-describedby={id}
          onClick={() => setIsAsking(true)}
          className="max-sm:w-full disabled:opacity-60"
        >
          <Trash2 className="size-4" aria-hidden="true" />
          {t("settings.danger.delete")}
        </Button>
      </div>
      {isAsking ? <DeleteDialog life={life} onClose={() => setIsAsking(false)} /> : null}
    </Section>
  );
}
