/** The language and the timezone of the signed-in user. */
import type { Language } from "#contract/accounts/language.ts";
import { callApi } from "../api/api-client.ts";
import { changeLanguage } from "../browser/language.ts";
import { displayTimezone, knownTimezone } from "../formats.ts";
import { knownUser, updateUser, watchUser } from "./session.ts";

/** Switches to this language here, and stores it for this user on every device. */
export async function chooseLanguage(language: Language): Promise<void> {
  if (knownUser()) {
    const saved = await callApi("changeProfile", { body: { language } }).catch((cause: unknown) =>
      console.warn("The language could not be saved to the account; it applies to this browser only.", cause),
    );
    if (saved) updateUser(saved.user);
  }
  await changeLanguage(language);
}

/** Follows the choice in the signed-in user's profile, made in this browser or another. */
export function followProfile(): void {
  watchUser(() => {
    const profile = knownUser()?.profile;
    displayTimezone.set(knownTimezone(profile?.timezone));
    if (profile?.language) void changeLanguage(profile.language);
  });
}
