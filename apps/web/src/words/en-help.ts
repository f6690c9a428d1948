/** The help page's answers: apart from the rest of the catalogue, because only that page shows them. */
import type { HelpSection } from "../features/help/search-help.ts";

export const enHelp: readonly HelpSection[] = [
  {
    title: "Signing up",
    items: [
      {
        id: "confirmation-email",
        question: "The confirmation email does not arrive. What can I do?",
        answer:
          "Look into the spam folder first. Then send it again from the page “Check your inbox”; that is possible once a minute. A newer email makes the links in older ones useless.",
      },
      {
        id: "link-expired",
        question: "The confirmation link has expired. Is my account lost?",
        answer: "No. Log in with your account name or email address and your password, and send a new email from the dashboard.",
      },
      {
        id: "account-name",
        question: "Can I change my account name?",
        answer: "No. It is a part of your workspace's address, and other services may already call that address. Choose one you like for long.",
      },
      {
        id: "another-device",
        question: "Can I sign up on one device and go on with another?",
        answer:
          "Yes. Every step you finish is kept in your account: log in anywhere, and the dashboard says what is next. A page that waits for you to confirm your email goes on by itself.",
      },
      {
        id: "skip-steps",
        question: "Do I have to answer the survey, choose apps and invite people?",
        answer: "No. Each of them can be left out, and done later from the dashboard as long as the workspace is not launched. Only confirming your email cannot be left out.",
      },
    ],
  },
  {
    title: "Logging in",
    items: [
      {
        id: "forgot-password",
        question: "I forgot my password. How do I get in?",
        answer: "On the log-in page choose the forgotten password. We send a link to your email address, with which you choose a new one. It works once, for an hour.",
      },
      {
        id: "log-in-while-offline",
        question: "Can I log in while my workspace is offline?",
        answer: "Yes. The panel does not need the workspace. The owner can also ask for a link by email, and that email says how the workspace is.",
      },
      {
        id: "session-expired",
        question: "Why does it say that my session has expired?",
        answer:
          "A session ends 30 days after you logged in, or earlier when it was not used for 14 days, and when you change your password all others do. Log in again: you come back to the page you were on.",
      },
      {
        id: "signed-in-elsewhere",
        question: "How do I sign out on a device that I no longer have?",
        answer:
          "The account menu leads to Sign-in and security. It lists where you are signed in, and signs you out of one or of all others. If you do not know one of them, change your password as well.",
      },
    ],
  },
  {
    title: "Your workspace",
    items: [
      {
        id: "workspace",
        question: "What is a workspace?",
        answer:
          "An automation tool of your own: its own process, its own database, its own keys and its own address, {your account name} in front of this service's address. Nobody else works in it unless you invite them there.",
      },
      {
        id: "launch",
        question: "How long does a launch take?",
        answer:
          "About a minute. The first launch of a version takes several, because the engine is downloaded and checked before it is used. You can close the page; the launch goes on.",
      },
      {
        id: "statuses",
        question: "What do the four statuses mean?",
        answer:
          "Online: it answers. Pending: a change is being applied. Offline: it should answer and does not; we restart it by ourselves, and recent events say why. Stopped: it does not run, and its data is kept.",
      },
      {
        id: "offline",
        question: "My workspace is offline. What should I do?",
        answer:
          "Wait a few minutes first: we notice it and restart it by ourselves, again and again. Recent events, under Manage, say what happened. If it stays offline, restart it there; if that does not help, write to us.",
      },
      {
        id: "restart",
        question: "What happens when I restart it?",
        answer:
          "It is away for about a minute. Running executions are ended. Calls to webhooks that arrive meanwhile wait for a while and are then answered.",
      },
      {
        id: "signed-in",
        question: "Why do I not have to log in there again?",
        answer:
          "“Open workspace” makes a link that works once, for 60 seconds, and only for your workspace. It signs you in as its owner. Do not share it.",
      },
      {
        id: "timezone",
        question: "Which timezone do schedules use?",
        answer: "The one you chose when you set the workspace up. The dashboard shows it.",
      },
      {
        id: "invite",
        question: "How do I invite people?",
        answer:
          "On the page “Invite teammates”, one address or a whole list at once. They get an email as soon as the workspace is online; the page shows who has joined, and lets you send again or withdraw.",
      },
    ],
  },
  {
    title: "The trial",
    items: [
      { id: "trial", question: "How long is the trial, and what does it cost?", answer: "14 days from the launch of your workspace. It costs nothing, and no card is asked." },
      {
        id: "limits",
        question: "What are the limits?",
        answer: "The dashboard shows how many executions a month and how many active workflows your plan allows.",
      },
      {
        id: "trial-end",
        question: "What happens when it ends?",
        answer:
          "The workspace stops, and its data is kept for 7 days: choose a plan, and it starts again as it was. After 7 days it is deleted, and a last backup is kept for 30 days. You can download that backup under Manage, Export, or restore it into a new workspace. We email you before each step.",
      },
    ],
  },
  {
    title: "Plans and payment",
    items: [
      {
        id: "change-plan",
        question: "How do I change my plan?",
        answer:
          "By the button at the top of every page. Before you agree you see what is due now, what it costs from then on, and what stops working. A larger plan is there at once; a smaller one begins when the paid period ends, unless you choose otherwise.",
      },
      {
        id: "failed-payment",
        question: "A payment failed. What happens now?",
        answer:
          "Your workspace goes on running. Under Manage, Billing, you see on which days we try again; change the card or try again there. After the last try the subscription is paused and the workspace stopped; its data is kept for 30 days, and resubscribing restarts it as it was. After that the workspace is deleted, and a last backup is kept for another 30 days.",
      },
      { id: "invoices", question: "Where are my invoices?", answer: "Under Manage, Billing, each as a PDF. The name, address and VAT ID on them are set on the same page, for the invoices from then on." },
      {
        id: "cancel",
        question: "How do I cancel?",
        answer:
          "Under Manage, Billing. You keep everything until the period you have paid for ends, and can undo the cancellation until then. Then the workspace stops, and 7 days later it is deleted. A last backup is kept for 30 days: you can download it under Manage, Export, or restore it into a new workspace.",
      },
    ],
  },
];
