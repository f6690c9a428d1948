import { classNames } from "../class-names.ts";

/**
 * The first letters of the first and the last word that has one: `AL` for Ada Lovelace. Signs are skipped, because a workspace may call its
 * people anything.
 */
export function initialsOf(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  const ends = letters.length > 1 ? [letters[0], letters.at(-1)] : letters;
  return ends.join("").toUpperCase();
}

/** A person as their initials: nothing is fetched. The name is shown beside it, so it is not read out. */
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
