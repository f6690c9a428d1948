/** A profile that can be changed, as by the API (domain/journeys/change-profile/change-profile.ts). */
import type { User } from "#contract/accounts/account.ts";
import type { ProfileChange } from "#contract/accounts/profile.ts";
import { newId } from "#platform/ids.ts";
import { AppError } from "#platform/app-error.ts";
import type { Answers, PanelState } from "./panel-answers.ts";

/** Saves the given values. Refuses a change of an older revision, unless nothing would differ. */
export function changeProfile(state: PanelState, { revision, fullName, ...choices }: ProfileChange): User {
  const { user } = state;
  const changed: User = { ...user, fullName: fullName ?? user.fullName, profile: { ...user.profile, ...choices } };
  if (JSON.stringify(changed) === JSON.stringify(user)) return user;
  if (revision !== undefined && revision !== user.profile.revision) throw new AppError("changed_elsewhere");
  changed.profile.revision = newId();
  return (state.user = changed);
}

export const profileAnswers: Answers = { changeProfile: ({ body }, state) => ({ user: changeProfile(state, body) }) };
