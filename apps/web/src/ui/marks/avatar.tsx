import { classNames } from "../class-names.ts";

/** The first letters of the first and the last word: `AL` for Ada Lovelace. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word) => String.fromCodePoint(word?.codePointAt(0) ?? 32).toUpperCase()).join("");
}

/** A person as their initials: nothing is fetched from anywhere. The name is shown beside it, so it is not read out. */
export const Avatar = ({ name, className }: { name: string; className?: string }) => (
  <span
    aria-hidden="true"
    className={classNames(
      "grid shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-accent-strong select-none",
      className,
    )}
  >
    {initialsOf(name)}
  </span>
);
