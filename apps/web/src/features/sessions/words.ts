/** Words of the sign-in settings and the list of sessions. */
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

export const sessionsWords = {
  page: "Sign-in and security",
  title: "Sign-in and security",
  lead: "Your ways to sign in and your active sessions",
  signIn: "How you sign in",
  email: "Email",
  password: "Password",
  passwordText: "Changing it signs you out everywhere else.",
  noPassword: "None yet. Until you choose one, you sign in with an emailed link.",
  choosePassword: "Choose a password",
  changeEmail: "Change email",
  changePassword: "Change password",
  list: "Where you are signed in",
  listLead: "Sign out unfamiliar devices, then choose a new password.",
  failed: "Your sessions could not be loaded",
  current: "This device",
  device: "{{browser}} on {{system}}",
  unknown: "Unknown browser or program",
  opened: {
    password: "Signed in {{time}} with the password",
    "magic-link": "Signed in {{time}} with an emailed link",
    workspace: "Signed in {{time}} from your workspace, for up to one hour",
    operator: "Opened {{time}} by the operator of this service, for up to one hour",
  },
  usedNow: "In use now",
  usedLately: "Last used in the past hour",
  used: "Last used {{time}}",
  justNow: "just now",
  address: "IP address {{address}}",
  onlyHere: "No other sessions",
  more_one: "And {{count}} older session. It also ends when you sign out everywhere else.",
  more_other: "And {{count}} older sessions. They also end when you sign out everywhere else.",
  lives: "A session ends 30 days after signing in, or after 14 days without use.",
  end: "Sign out",
  endOf: "Sign out {{device}}, signed in on {{time}}",
  ending: "Signing out…",
  endTitle: "Sign out this session?",
  endText: "{{device}} is signed out immediately. To use it again, sign in on it.",
  endFailed: "The session could not be ended",
  ended: "{{device}} was signed out.",
  endOthers: "Sign out everywhere else",
  endOthersTitle: "Sign out everywhere else?",
  endOthersText:
    "All other browsers and programs are signed out immediately, and unused sign-in links in your inbox stop working. You stay signed in here.",
  endOthersFailed: "The other sessions could not be ended",
  othersEnded_one: "You were signed out of {{count}} other session.",
  othersEnded_other: "You were signed out of {{count}} other sessions.",
} as const;

export const t = wordsOf({ ...frameWords, sessions: sessionsWords }, { de: () => import("./words.de.ts") });
