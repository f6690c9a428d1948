import { errorWords } from "../../../lib/errors/error-words.ts";
import { Notice } from "../../../ui/notices/notice.tsx";
import { t } from "../words.ts";
import type { WatchTrouble } from "./use-live-workspace.ts";
import { TryAgain } from "../../../ui/notices/try-again.tsx";

interface WatchTroubleProps {
  trouble: WatchTrouble | null;
  error: unknown;
  onAskAgain: () => void;
  className?: string;
}

/** Says that the data shown may be old and why, and offers to reload it. */
export function WatchTroubleNotice({ trouble, error, onAskAgain, className }: WatchTroubleProps) {
  if (!trouble && !error) return null;
  const isTimeout = trouble === "timed-out" && !error;
  const words = errorWords(error);
  return (
    <Notice
      tone="warning"
      title={isTimeout ? t("watching.timedOut") : t("watching.refreshFailed")}
      className={className ?? ""}
      action={<TryAgain onClick={onAskAgain} />}
    >
      {isTimeout ? t("watching.timedOutNext") : error ? `${words.sentence} ${words.next}` : null}
    </Notice>
  );
}
