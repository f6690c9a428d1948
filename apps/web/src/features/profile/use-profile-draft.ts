import { useEffect, useRef } from "react";
import type { User } from "#contract/accounts/account.ts";
import { useDraftOverSessions } from "../../lib/use-draft.ts";
import { afterSave, enterValues, type ProfileDraft } from "./profile-draft.ts";

/** The input in the profile's form. What is entered while a save is running stays. */
export function useProfileDraft(user: User) {
  const [kept, keep] = useDraftOverSessions<ProfileDraft | "">(`profile.${user.id}`, "");
  const draft = kept || null;
  const being = useRef<ProfileDraft | null>(null);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  return {
    draft,
    enter: (values: ProfileDraft["values"]) => keep((entered) => enterValues(entered || null, values, user, being.current) ?? ""),
    discard: () => keep(""),
    keepMine: () => draft && keep({ ...draft, from: user }),
    /** A save of the draft begins; the returned function ends it, with the user as saved or null. */
    beginSave: () => {
      being.current = draft;
      return (saved: User | null) => {
        being.current = null;
        // After leaving the page or signing out there is no draft.
        if (isShown.current) keep((entered) => afterSave(entered || null, draft, saved) ?? "");
      };
    },
  };
}
