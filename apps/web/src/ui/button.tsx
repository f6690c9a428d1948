import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Link } from "react-router";
import { classNames } from "./class-names.ts";

export type ButtonTone = "primary" | "plain" | "quiet" | "danger";

const shape =
  "inline-flex min-h-10 items-center justify-center gap-2 rounded-lg px-4 py-2 text-sm font-semibold transition-colors select-none aria-disabled:cursor-not-allowed disabled:cursor-not-allowed";

const tones: Record<ButtonTone, string> = {
  primary:
    "bg-accent text-on-accent hover:bg-accent-strong disabled:bg-sunken disabled:text-ink-soft aria-disabled:bg-accent aria-disabled:opacity-80",
  plain: "border border-line-strong bg-surface text-ink hover:bg-sunken disabled:text-ink-soft disabled:border-line disabled:bg-sunken",
  quiet: "text-ink-soft hover:bg-sunken hover:text-ink disabled:opacity-60",
  danger: "bg-danger text-surface hover:opacity-90",
};

/** The look of a button, for elements that are links. */
export const buttonClass = (tone: ButtonTone = "primary", className?: string): string => classNames(shape, tones[tone], className);

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  tone?: ButtonTone;
  /** Busy with its action: keeps focus and place, ignores a second press. */
  pending?: boolean;
  pendingText?: string;
}

/** A button that stays focusable while it is busy, so keyboard users keep their place. */
export function Button({
  tone = "primary",
  pending = false,
  pendingText,
  className,
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={pending || undefined}
      onClick={(event) => (pending ? event.preventDefault() : onClick?.(event))}
      className={buttonClass(tone, className)}
    >
      {pending ? (pendingText ?? children) : children}
    </button>
  );
}

/** A link within the panel that looks like a button. */
export function ButtonLink({
  to,
  tone = "primary",
  className,
  children,
}: {
  to: string;
  tone?: ButtonTone;
  className?: string;
  children: ReactNode;
}) {
  return (
    <Link to={to} className={buttonClass(tone, className)}>
      {children}
    </Link>
  );
}
