/**
 * Who asks: the person that the page was drawn for, and how often that has changed. Each call names the person, so that none is made
 * in the name of somebody who signed in beside it; an answer from before a change is no news about the present.
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
  /** The person of the session that is open already became known. */
  name(id: string): void {
    person = id;
  },
};
