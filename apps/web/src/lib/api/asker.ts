/**
 * The user that the page was drawn for, and how often that has changed. Each call names the user, so that none is made in the name of
 * another user who signed in in another tab. An answer from before a change is outdated.
 */
let person: string | null = null;
let era = 0;

export const asker = {
  person: (): string | null => person,
  /** Grows with each sign-in and sign-out. */
  era: (): number => era,
  /** A user signed in (their id) or out (null). */
  change(id: string | null): void {
    person = id;
    era += 1;
  },
  /** The user of the open session became known. */
  name(id: string): void {
    person = id;
  },
};
