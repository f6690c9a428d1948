/** Words of the account's places: the profile and the mails. Those about signing in are with the sessions. */
import type { OptionalMail } from "#contract/accounts/account-values.ts";
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

const mails = {
  usage: { label: "Usage warnings", hint: "When 80% of your plan's executions are used." },
  updates: {
    label: "Installed updates",
    hint: "When your workspace runs a new version. Failed updates and rollbacks are always reported.",
  },
  exports: { label: "Finished exports", hint: "When an export is ready to download. Exports with credentials are always reported." },
} satisfies Record<OptionalMail, { label: string; hint: string }>;

export const profileWords = {
  nav: { label: "Account", profile: "Profile", notifications: "Notifications", security: "Sign-in and security" },
  profile: {
    page: "Profile",
    title: "Profile",
    lead: "Your name, language and timezone",
    name: "Full name",
    nameHint: "Members of your workspace can see it.",
    language: "Language",
    languageBrowser: "Same as browser",
    languageHint: "Emails and invoices use the chosen language, or English if none is chosen.",
    timezone: "Display timezone",
    timezoneBrowser: "Same as browser",
    timezoneHint: "Dates and times in the panel. Schedules in your workspace use the workspace's own timezone.",
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
  notifications: {
    page: "Notifications",
    title: "Notifications",
    lead: "The emails we send to {{email}}",
    optional: "Optional emails",
    optionalLead: "Turn off the emails you don't want.",
    mails,
    off: "“{{name}}” emails are off.",
    on: "“{{name}}” emails are on.",
    failed: "Your choice could not be saved",
    always: "Always sent",
    alwaysLead: "They concern your money, your access or your data.",
    alwaysList: {
      security: "Sign-in links, changes of your password or address, and exports with credentials",
      billing: "Receipts, failed payments and changes of your plan",
      end: "The end of a trial or subscription, and every deletion before it happens",
      stopped: "All executions used, and updates that failed or were rolled back",
    },
  },
} as const;

export const t = wordsOf({ ...frameWords, own: profileWords }, { de: () => import("./words.de.ts") });
