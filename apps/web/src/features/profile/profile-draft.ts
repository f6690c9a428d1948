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

/** The draft with these values entered as well, based on the user as shown: `user`. */
export function enterValues(draft: ProfileDraft | null, values: Partial<ProfileValues>, user: User): ProfileDraft {
  if (!draft) return { from: user, values };
  const shown = (field: Field) => (draft.values[field] === undefined ? user : draft.from);
  const from = {
    ...draft.from,
    fullName: shown("fullName").fullName,
    profile: { ...draft.from.profile, language: shown("language").profile.language, timezone: shown("timezone").profile.timezone },
  };
  return { from, values: { ...draft.values, ...values } };
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
