import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import type { SkippableStep } from "#contract/accounts/account-values.ts";
import { paths } from "../../../lib/paths.ts";
import { useAction } from "../../../lib/use-action.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { t } from "../words.ts";
import { skipStep } from "./journey.ts";

/** The buttons of an optional step: continue, skip, or come back another day. */
export function StepActions({ step, children }: { step: SkippableStep; children: ReactNode }) {
  const navigate = useNavigate();
  const skip = useAction(async () => void (await navigate(await skipStep(step))));
  return (
    <div>
      {skip.error ? <ErrorNotice error={skip.error} className="mb-4" /> : null}
      <div className="flex flex-wrap items-center gap-2">
        {children}
        <Button tone="quiet" pending={skip.pending} onClick={() => void skip.run()}>
          {t("journey.skip")}
        </Button>
        <Link to={paths.dashboard} className="link ml-auto text-sm max-sm:ml-0 max-sm:basis-full max-sm:pt-1">
          {t("journey.later")}
        </Link>
      </div>
    </div>
  );
}
