/** The help page's answers: apart from the rest of the catalogue, because only that page shows them. */
export const enHelp = [
  {
    title: "Signing up",
    items: [
      {
        question: "The confirmation email does not arrive. What can I do?",
        answer:
          "Look into the spam folder first. Then send it again from the page “Check your inbox”; that is possible once a minute. A newer email makes the links in older ones useless.",
      },
      {
        question: "The confirmation link has expired. Is my account lost?",
        answer: "No. Log in with your account name or email address and your password, and send a new email from the dashboard.",
      },
      {
        question: "Can I change my account name?",
        answer: "No. It is a part of your workspace's address, and other services may already call that address. Choose one you like for long.",
      },
      { question: "Can I sign up on one device and confirm on another?", answer: "Yes. The page you signed up on notices it and goes on by itself." },
    ],
  },
  {
    title: "Your workspace",
    items: [
      {
        question: "What is a workspace?",
        answer:
          "An automation tool of your own: its own process, its own database, its own keys and its own address, {your account name} in front of this service's address. Nobody else works in it unless you invite them there.",
      },
      {
        question: "How long does a launch take?",
        answer:
          "About a minute. The first launch of a version takes several, because the engine is downloaded and checked before it is used. You can close the page; the launch goes on.",
      },
      {
        question: "What do the four statuses mean?",
        answer:
          "Online: it answers. Pending: a change is being applied. Offline: it should answer and does not; we restart it by ourselves, and recent events say why. Stopped: it does not run, and its data is kept.",
      },
      {
        question: "What happens when I restart it?",
        answer:
          "It is away for about a minute. Running executions are ended. Calls to webhooks that arrive meanwhile wait for a while and are then answered.",
      },
      {
        question: "Why do I not have to log in there again?",
        answer:
          "“Open workspace” makes a link that works once, for 60 seconds, and only for your workspace. It signs you in as its owner. Do not share it.",
      },
      {
        question: "Which timezone do schedules use?",
        answer: "The one you chose when you set the workspace up. The dashboard shows it.",
      },
    ],
  },
  {
    title: "The trial",
    items: [
      { question: "How long is the trial, and what does it cost?", answer: "14 days from the launch of your workspace. It costs nothing, and no card is asked." },
      {
        question: "What are the limits?",
        answer: "The dashboard shows how many executions a month and how many active workflows your plan allows.",
      },
      {
        question: "What happens when it ends?",
        answer: "The workspace is stopped and your data is kept for a while, so that nothing is lost while you decide. We write to you before and when it happens.",
      },
    ],
  },
] as const;
