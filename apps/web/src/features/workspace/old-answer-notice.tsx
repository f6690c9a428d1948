import { Notice } from "../../ui/notices/notice.tsx";
import { TryAgain } from "../../ui/notices/try-again.tsx";
import { moment } from "../../lib/formats.ts";

interface OldAnswerProps {
  /** When the workspace last answered; null if it never did. */
  askedAt: string | null;
  /** Says that the data shown is from `time`. */
  old: (time: string) => string;
  /** Says that the workspace never answered. */
  never: string;
  pending: boolean;
  onRetry: () => void;
}

/** For a workspace that cannot be asked now: shows its last answer, or nothing. */
export const OldAnswerNotice = ({ askedAt, old, never, pending, onRetry }: OldAnswerProps) => (
  <Notice
    tone="info"
    title={askedAt ? old(moment.format(new Date(askedAt))) : never}
    className="m-5 sm:mx-6"
    action={<TryAgain onClick={onRetry} pending={pending} />}
  />
);
