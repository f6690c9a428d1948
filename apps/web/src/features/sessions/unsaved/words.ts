/** Words about unsaved input when its user signs out; fetched only then. */
import type { InputForm } from "../../../lib/forms/unsaved-input.ts";
import { wordsOf } from "../../../words/words-of.ts";

export const unsavedWords = {
  title: "Sign out without saving?",
  text: "Not saved yet: {{forms}}. Signing out discards what you entered.",
  forms: {
    profile: "profile",
    settings: "settings",
    variables: "environment variables",
    "billing-details": "billing details",
    invite: "invitations",
    survey: "survey",
    apps: "choice of apps",
    "change-email": "new email address",
  } satisfies Record<InputForm, string>,
  confirm: "Discard and sign out",
  stay: "Stay signed in",
  kept: "You were signed out in another tab. What you entered here is kept: sign in again to continue.",
  discard: "Discard it",
  lost: "You were signed out in another tab. Values of variables that you entered here are lost, because they are never stored in the browser.",
} as const;

export const t = wordsOf({ unsaved: unsavedWords }, { de: () => import("./words.de.ts") });
