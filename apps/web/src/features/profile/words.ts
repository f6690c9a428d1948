/** Words of the account's frame and of the profile. */
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

export const profileWords = {
  nav: { label: "Account", profile: "Profile", notifications: "Notifications", security: "Sign-in and security", close: "Close account" },
  profile: {
    page: "Profile",
    title: "Profile",
    lead: "Your name, language and timezone",
    account: "Account {{account}}",
    changeEmail: "Change email",
    name: "Full name",
    nameHint: "Members of your workspace can see it.",
    language: "Language",
    languageBrowser: "Same as browser ({{language}})",
    languageHint: "Emails and invoices use the chosen language, or English if none is chosen.",
    timezone: "Display timezone",
    timezoneBrowser: "Same as browser ({{timezone}})",
    timezoneHint: "Now: {{time}}. Used for dates and times in the panel. Schedules use your workspace's own timezone.",
    timezoneSearch: "Search by city or region",
    timezoneNone: "No timezone matches. Try a larger city nearby.",
    save: "Save profile",
    saving: "Saving…",
    saved: "Profile saved.",
    discard: "Discard changes",
    unsaved_one: "{{count}} unsaved change",
    unsaved_other: "{{count}} unsaved changes",
    allSaved: "All changes saved",
    leaveTitle: "Leave without saving?",
    leaveText: "Your changes to the profile are not saved yet.",
    leave: "Leave",
    stay: "Stay",
    failed: "The profile could not be saved",
    conflict: "Your profile has changed",
    conflictLead: "It was changed in another tab or on another device. Current values:",
    current: "{{field}}: {{value}}",
    keepMine: "Keep my changes",
    takeTheirs: "Use current values",
  },
} as const;

export const t = wordsOf({ ...frameWords, own: profileWords }, { de: () => import("./words.de.ts") });
