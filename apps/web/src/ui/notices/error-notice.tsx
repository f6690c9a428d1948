import type { ReactNode } from "react";
import { errorWords, requestNumber } from "../../lib/api/error-words.ts";
import { Notice } from "./notice.tsx";

interface ErrorNoticeProps {
  error: unknown;
  /** What failed; the error's own words follow. */
  title?: string;
  /** What the failure means here. */
  lead?: string;
  action?: ReactNode;
  className?: string;
}

/** A failed call in words: what happened, what to do next, and the number to tell support. */
export function ErrorNotice({ error, title, lead, action, className }: ErrorNoticeProps) {
  const words = errorWords(error);
  const number = requestNumber(error);
  return (
    <Notice tone="danger" title={title ?? words.sentence} action={action} {...(className ? { className } : {})}>
      {lead ? <p>{lead}</p> : null}
      <p>{title ? `${words.sentence} ${words.next}` : words.next}</p>
      {number ? <p className="mt-1 font-mono text-xs">{number}</p> : null}
    </Notice>
  );
}
