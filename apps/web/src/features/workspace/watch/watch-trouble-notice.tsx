import { Button } from "../../../ui/button.tsx";
import { errorWords } from "../../../lib/api/error-words.ts";
import { Notice } from "../../../ui/notices/notice.tsx";
import { t } from "../../../words/words-of.ts";
import type { WatchTrouble } from "./use-live-workspace.ts";

interface WatchTroubleProps {
  trouble: WatchTrouble | null;
  error: unknown;
  onAskAgain: () => void;
  className?: string;
}

/** Says that what is shown may be old, why, and offers to ask again. */
export function WatchTroubleNotice({ trouble, error, onAskAgain, className }: WatchTroubleProps) {
  if (!trouble && !error) return null;
  const isTimeout = trouble === "timed-out" && !error;
  const words = errorWords(error);
  return (
    <Notice
      tone="warning"
      title={isTimeout ? t("launching.timedOut") : t("launching.refreshFailed")}
      className={className ?? ""}
      action={
        <Button tone="plain" onClick={onAskAgain}>
          {t("common.tryAgain")}
        </Button>
      }
    >
      {isTimeout ? t("launching.timedOutNext") : error ? `${words.sentence} ${words.next}` : null}
    </Notice>
  );
}
