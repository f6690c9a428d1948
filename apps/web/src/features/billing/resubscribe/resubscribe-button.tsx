import { lazy, Suspense, useState } from "react";
import { usePrefetch } from "../../../lib/first-view/when-idle.ts";
import { loadPage } from "../../../lib/faults/load-page.ts";
import { Button, type ButtonTone } from "../../../ui/button.tsx";
import { t } from "../upgrade/words.ts";

const load = () => import("./resubscribe-dialog.tsx");
const ResubscribeDialog = lazy(() => loadPage(load));

/** Resubscribes, after saying what that does and charges. */
export function ResubscribeButton({ tone = "primary" }: { tone?: ButtonTone }) {
  usePrefetch(load);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button tone={tone} onClick={() => setIsAsking(true)}>
        {t("upgrade.resubscribe")}
      </Button>
      {isAsking ? (
        <Suspense fallback={null}>
          <ResubscribeDialog onClose={() => setIsAsking(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
