import type { ReactNode } from "react";
import { requestNumber, type ErrorWords } from "../../lib/errors/sign-in-errors.ts";
import { Notice } from "./notice.tsx";

export interface RefusalNoticeProps {
  error: unknown;
  /** What the error says: what happened, and what to do next. */
  words: ErrorWords;
  /** What failed; the error's own words follow. */
  title?: string;
  /** What the failure means here. */
  lead?: string;
  action?: ReactNode;
  className?: string;
}

/** A failed call in the given words: what happened, what to do next, and the number to tell support. */
export function RefusalNotice({ error, words, title, lead, action, className }: RefusalNoticeProps) {
  const number = requestNumber(error);
  return (
    <Notice tone="danger" title={title ?? words.sentence} action={action} {...(className ? { className } : {})}>
      {lead ? <p>{lead}</p> : null}
      <p>{title ? `${words.sentence} ${words.next}` : words.next}</p>
      {number ? <p className="mt-1 font-mono text-xs">{number}</p> : null}
    </Notice>
  );
}
