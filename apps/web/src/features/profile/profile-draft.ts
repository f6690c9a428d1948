/** Input in the profile's form, on top of the profile as it was when the input began. */
import type { User } from "#contract/accounts/account.ts";

export type ProfileValues = Pick<User, "fullName"> & Pick<User["profile"], "language" | "timezone">;
type Field = keyof ProfileValues;

export interface ProfileDraft {
  /** The user as each of these values was first entered, with the revision of the first. */
  from: User;
  values: Partial<ProfileValues>;
}

const fields = ["fullName", "language", "timezone"] as const satisfies readonly Field[];

export const profileValues = ({ fullName, profile: { language, timezone } }: User): ProfileValues => ({ fullName, language, timezone });

/**
 * The draft with these values entered as well, based on the user as shown: `user`. A value that was taken back is no longer in it, so it
 * follows the profile again; unless it is among those `being` saved, which will have changed the profile.
 */
export function enterValues(
  draft: ProfileDraft | null,
  values: Partial<ProfileValues>,
  user: User,
  being: ProfileDraft | null = null,
): ProfileDraft | null {
  if (!draft) return withoutEqual({ from: user, values }, being);
  const from = basedOn(draft.from, user, (field) => draft.values[field] === undefined);
  return withoutEqual({ from, values: { ...draft.values, ...values } }, being);
}

/** What remains of the draft once `sent` was saved as `saved`: what was entered since then. If it could not be saved, all of it. */
export function afterSave(draft: ProfileDraft | null, sent: ProfileDraft | null, saved: User | null): ProfileDraft | null {
  if (!draft) return null;
  return withoutEqual(saved ? { ...draft, from: basedOn(draft.from, saved, (field) => sent?.values[field] !== undefined) } : draft);
}

/** The user with the chosen fields of another state of it. */
const basedOn = (from: User, other: User, isOfOther: (field: Field) => boolean): User => {
  const of = (field: Field) => (isOfOther(field) ? other : from);
  return {
    ...from,
    fullName: of("fullName").fullName,
    profile: { ...from.profile, language: of("language").profile.language, timezone: of("timezone").profile.timezone },
  };
};

/** The draft without the values that are as they were, except those `being` saved; null if none remains. */
function withoutEqual({ from, values }: ProfileDraft, being: ProfileDraft | null = null): ProfileDraft | null {
  const before = profileValues(from);
  const isEntered = (field: Field) => values[field] !== before[field] || being?.values[field] !== undefined;
  const remaining = fields.filter((field) => values[field] !== undefined && isEntered(field));
  return remaining.length > 0 ? { from, values: Object.fromEntries(remaining.map((field) => [field, values[field]])) } : null;
}

/** The entered fields that differ from what is stored: what a save would change, and a discard would lose. */
export function unsavedFields(draft: ProfileDraft | null, user: User): Field[] {
  const now = profileValues(user);
  return fields.filter((field) => draft?.values[field] !== undefined && draft.values[field] !== now[field]);
}

/** The entered fields whose stored value has changed elsewhere since they were entered. */
export function changedElsewhere(draft: ProfileDraft | null, user: User): Field[] {
  if (!draft) return [];
  const [before, now] = [profileValues(draft.from), profileValues(user)];
  return fields.filter((field) => draft.values[field] !== undefined && before[field] !== now[field] && draft.values[field] !== now[field]);
}

/**
 * What to send: only what was entered, with the newest revision under which nobody else has changed those fields. So a change of another
 * field, or of the mails, causes no conflict, and changes made elsewhere are never overwritten.
 */
export const profileChange = (draft: ProfileDraft | null, user: User): Partial<ProfileValues> & { revision: string } => ({
  ...draft?.values,
  revision: (draft && changedElsewhere(draft, user).length > 0 ? draft.from : user).profile.revision,
});

/** The draft that undoes `draft` after it was saved as `saved`. */
export function undoOf(draft: ProfileDraft | null, before: User, saved: User): ProfileDraft {
  const old = profileValues(before);
  const entered = fields.filter((field) => draft?.values[field] !== undefined);
  return { from: saved, values: Object.fromEntries(entered.map((field) => [field, old[field]])) };
}
