import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { copyText } from "../lib/browser/copy-text.ts";
import { classNames } from "./class-names.ts";

/** Long enough to be seen, short enough not to be mistaken for a state. */
const checkedMs = 2_000;

interface CopyButtonProps {
  /** The text to copy. */
  text: string;
  /** The button's purpose, for those who do not see its icon. */
  label: string;
  /** Announced after copying, and if the browser refused. */
  copied: string;
  refused: string;
  className?: string;
}

/** Copies a text, and says whether the browser allowed it. */
export function CopyButton({ text, label, copied, refused, className }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), checkedMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    if (await copyText(text, { copied, refused })) setIsCopied(true);
  };
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => void copy()}
      className={classNames("grid size-8 shrink-0 place-items-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink", className)}
    >
      {isCopied ? <Check className="size-4 text-success" aria-hidden="true" /> : <Copy className="size-4" aria-hidden="true" />}
    </button>
  );
}
