/** The logo: a hull on its slipway, about to be launched. */
import { classNames } from "./class-names.ts";

export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={classNames("size-8 shrink-0", className)} aria-hidden="true">
      <rect width="32" height="32" rx="8" className="fill-[#0b5c68]" />
      <path
        d="M8 10.5h14.2c.9 0 1.5.9 1.1 1.7l-1.6 3.4a3 3 0 0 1-2.7 1.7h-6.4c-1 0-1.9-.5-2.4-1.3L7.3 11.9c-.4-.6 0-1.4.7-1.4Z"
        fill="#fff"
        transform="rotate(14 16 14)"
      />
      <path d="M5 19.2 27 25" stroke="#7fe3e4" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
  );
}

export function Logo({ name, className }: { name: string; className?: string }) {
  return (
    <span className={classNames("flex items-center gap-2.5 text-[1.0625rem] font-semibold tracking-tight", className)}>
      <LogoMark />
      {name}
    </span>
  );
}
