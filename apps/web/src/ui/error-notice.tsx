import type { ReactNode } from "react";
import { errorWords, requestNumber } from "../lib/error-words.ts";
import { Notice } from "./notice.tsx";

/** A failed call in words: what happened, what to do next, and the number to tell support. */
export function ErrorNotice({ error, title, action, className }: { error: unknown; title?: string; action?: ReactNode; className?: string }) {
  const words = errorWords(error);
  const number = requestNumber(error);
  return (
    <Notice tone="danger" title={title ?? words.sentence} action={action} {...(className ? { className } : {})}>
      <p>{title ? `${words.sentence} ${words.next}` : words.next}</p>
      {number ? <p className="mt-1 font-mono text-xs">{number}</p> : null}
    </Notice>
  );
}
