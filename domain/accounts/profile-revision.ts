import type { ProfileChange } from "#contract/accounts/profile.ts";
import { contentRevision } from "#platform/content-revision.ts";

/** Identifies a profile by its content, so every change to it changes the revision. */
export const profileRevision = ({ fullName, language, timezone, mutedMails }: Required<Omit<ProfileChange, "revision">>): string =>
  contentRevision([fullName, language, timezone, mutedMails]);
