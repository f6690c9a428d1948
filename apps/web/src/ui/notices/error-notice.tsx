import { errorWords } from "../../lib/errors/error-words.ts";
import { RefusalNotice, type RefusalNoticeProps } from "./refusal-notice.tsx";
import { TryAgain } from "./try-again.tsx";

interface ErrorNoticeProps extends Omit<RefusalNoticeProps, "words"> {
  /** Adds "Try again". */
  onRetry?: () => void;
  /** Whether it is being tried again. */
  retrying?: boolean;
}

/** A failed call in words, and the button to retry it if that is possible. */
export function ErrorNotice({ onRetry, retrying, ...shown }: ErrorNoticeProps) {
  const again = onRetry ? <TryAgain onClick={onRetry} pending={retrying ?? false} /> : undefined;
  return <RefusalNotice action={again} {...shown} words={errorWords(shown.error)} />;
}
