/** The words of the frame around every page, on the sign-in page and all others. */
import { trialDays } from "#contract/billing/plans/plan-days.ts";
import { wordsOf } from "./words-of.ts";

export const frameWords = {
  product: { name: "Slipway", home: "Slipway, home", titled: "{{page}} · Slipway" },
  error: {
    requestNumber: "Request number {{id}}",
    retryIn: "Try again {{when}}.",
  },
  common: {
    tryAgain: "Try again",
    reload: "Reload the page",
    cancel: "Cancel",
    close: "Close",
    dismiss: "Dismiss",
    loading: "Loading",
    newTab: "opens in a new tab",
    skip: "Skip to content",
    optional: "optional",
    undo: "Undo",
    undone: "Undone.",
    undoFailed: "This could not be undone.",
  },
  nav: {
    main: "Main",
    dashboard: "Dashboard",
    manage: "Manage",
    help: "Help",
    commands: "Search and commands",
    commandKeys: "Ctrl K",
    account: "Account",
    accountOf: "Account of {{name}}",
    signOut: "Sign out",
    signIn: "Sign in",
    status: "Status",
    impressum: "Impressum",
    privacy: "Privacy",
    terms: "Terms",
    legal: "About this service",
    developmentInbox: "Development inbox",
    experiments: "Experiments",
    analyticsChoices: "Analytics choices",
    development: "Development mode: emails stay here.",
    haveAccount: "Already have an account?",
    logIn: "Log in",
  },
  /** Each language by its own name, whatever the current language. */
  language: { label: "Language", en: "English", de: "Deutsch" },
  theme: {
    system: "Theme: system. Switch to light.",
    light: "Theme: light. Switch to dark.",
    dark: "Theme: dark. Switch to system.",
  },
  session: {
    expired: "Session expired",
    loggedOut: "Logout succeeded",
    logoutFailed: "You are still signed in because the service could not be reached. Try again.",
    notLoaded: "Could not load user data",
  },
  pitch: {
    label: "What you get",
    title: { n8n: "Your own n8n, online in minutes", "node-red": "Your own Node-RED, online in minutes" },
    text: "A workspace at your own URL. We install it, keep it running and keep it safe. You build.",
    picture: "A workflow in the editor, and the workspace's dashboard on a phone",
    first: "The real, unchanged editor, with every app and node",
    second: `${trialDays}-day free trial. No credit card required.`,
    third: "Your workflows stay yours: export them at any time",
  },
  password: {
    show: "Show password",
    hide: "Hide password",
  },
  notFound: {
    page: "Page not found",
    title: "This page could not be found",
    text: "Check the URL for mistakes.",
    home: "Go to the start page",
  },
  crash: {
    page: "Something went wrong",
    title: "Something went wrong...",
    text: "The page could not be displayed. Everything you saved is safe.",
    chunk: "A new version is available. Reload the page to continue.",
  },
} as const;

export const t = wordsOf(frameWords, { de: () => import("./frame.de.ts") });
