/** The help page's answers. The server reads them too, because each has its own address. */
import { trialDays } from "#contract/billing/plans/plan-days.ts";
import type { HelpSection } from "./search-help.ts";

export const enHelp: readonly HelpSection[] = [
  {
    title: "Signing up",
    items: [
      {
        id: "confirmation-email",
        question: "I didn't get the confirmation email. What can I do?",
        answer:
          "Check your spam folder first. Then send the email again from the page “Check your inbox”, at most once a minute. Only the link in the latest email works.",
        also: "verify verification address inbox spam resend",
      },
      {
        id: "link-expired",
        question: "The confirmation link has expired. Is my account lost?",
        answer: "No. Sign in with your account name or email address and your password, then send a new email from the dashboard.",
        also: "log in verify verification",
      },
      {
        id: "account-name",
        question: "Can I change my account name?",
        answer: "No. It is part of your workspace's URL, and other services may already call it.",
        also: "rename username url domain",
      },
      {
        id: "another-device",
        question: "Can I sign up on one device and continue on another?",
        answer: "Yes. Every finished step is saved in your account. Sign in anywhere, and the dashboard shows the next step.",
        also: "phone laptop computer resume",
      },
      {
        id: "skip-steps",
        question: "Do I have to answer the survey, choose apps and invite people?",
        answer:
          "No. You can skip all three, and do them later from the dashboard until you launch the workspace. Only confirming your email address is required.",
        also: "optional questions teammates",
      },
    ],
  },
  {
    title: "Signing in",
    items: [
      {
        id: "forgot-password",
        question: "I forgot my password. How do I get in?",
        answer:
          "On the sign-in page, choose “Forgot password?”. We'll email you a link to choose a new one. It works once and expires in one hour.",
        also: "reset recover log in login sign in",
      },
      {
        id: "log-in-while-offline",
        question: "Can I sign in while my workspace is offline?",
        answer:
          "Yes. The panel works without the workspace. On the sign-in page, the owner can also request a sign-in link by email. That email includes the status of the workspace.",
        also: "log in magic link down",
      },
      {
        id: "session-expired",
        question: "Why does it say that my session has expired?",
        answer:
          "A session ends 30 days after you signed in, or after 14 days without use. Changing your password ends all other sessions. Sign in again to return to the page you were on.",
        also: "logged out signed out log in timeout",
      },
      {
        id: "signed-in-elsewhere",
        question: "How do I sign out on a device that I no longer have?",
        answer:
          "Open the account menu and choose “Sign-in and security”. It lists your sessions: sign out one of them, or all others. If you don't recognize one, change your password as well.",
        also: "lost stolen log out devices sessions security",
      },
      {
        id: "change-email",
        question: "How do I change my email address or password?",
        answer:
          "Open the account menu and choose “Sign-in and security”. A new email address takes effect once you open the link we send to it. Until then, the page shows the change and lets you withdraw it. If your first address is not confirmed yet, a new one replaces it immediately.",
        also: "e-mail mail profile account credentials",
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
          "Your own automation tool, with its own process, database, keys and URL, which starts with your account name. Only you and the people you invite can work in it.",
        also: "instance server url domain",
      },
      {
        id: "launch",
        question: "How long does a launch take?",
        answer:
          "Usually a few seconds. The first launch of a version can take several minutes, because the engine is downloaded and verified first. You can close the page. The launch continues.",
        also: "start set up create install slow",
      },
      {
        id: "statuses",
        question: "What do the statuses mean?",
        answer:
          "Setting up and Starting: the first start. Online: the workspace responds. Asleep: it is inactive, and the next request wakes it. Pending: a change is being applied. Offline: it does not respond, and is restarted automatically. Stopped: it is not running, and its data is kept. Paused: payments failed. Set to expire: you cancelled, and it runs until the paid period ends. Deleting: it is being removed.",
        also: "state status badge paused expire setting starting",
      },
      {
        id: "offline",
        question: "My workspace is offline. What should I do?",
        answer:
          "Wait a few minutes: it is restarted automatically. “Recent events” on the dashboard and “Crash history” under Manage > Monitoring show what happened, and its output is under Manage > Logs. If it stays offline, restart it, then write to us.",
        also: "down crash broken unreachable error logs memory editor",
      },
      {
        id: "restart",
        question: "What happens when I restart my workspace?",
        answer:
          "Executions that run then can finish first, for a few minutes at most; the dashboard shows how many are left. After that your workspace is down for about a minute. Incoming webhooks are queued for up to 28 seconds, then refused.",
        also: "reboot reload downtime",
      },
      {
        id: "signed-in",
        question: "Why don't I have to sign in to the workspace again?",
        answer: "“Open workspace” creates a link that works once within 60 seconds and signs you in as the owner. Do not share it.",
        also: "log in open editor owner auto-login",
      },
      {
        id: "timezone",
        question: "Which timezone do schedules use?",
        answer: "The one you chose during setup. You can change it under Manage > Settings.",
        also: "clock time cron schedule trigger utc",
      },
      {
        id: "invite",
        question: "How do I invite people?",
        answer:
          "On the page “Invite teammates”, enter one address or a whole list. They get an email once the workspace is online. “Members” under Manage shows who has joined, and lets you send an invitation again or withdraw it.",
        also: "team teammates users members colleagues coworkers access add seats",
      },
      {
        id: "slow",
        question: "My workspace is slow. How do I find the cause?",
        answer:
          "Manage > Monitoring shows memory, processor and disk against their limits, and how fast webhooks were answered. Manage > Logs follows what the workspace writes and filters it by level. If memory stays near its limit, choose a plan with more.",
        also: "performance memory cpu processor disk usage latency metrics monitoring logs debug",
      },
      {
        id: "environment-variables",
        question: "How do I set environment variables, such as API keys?",
        answer:
          "Add environment variables under Manage > Settings. In n8n, workflows read them as $env.NAME, in Node-RED as env.get. The panel never shows a hidden value again, but everyone who builds workflows can read it. In n8n, changes take effect within seconds; its own settings, and every change in Node-RED, restart the workspace. For keys of a single service, use a credential of the workspace instead.",
        also: "env environment variable variables secret secrets token configuration constants",
      },
      {
        id: "community-nodes",
        question: "Can I install community nodes?",
        answer:
          "In n8n, yes, if this service allows them: in the workspace under Settings > Community nodes. They survive updates and are part of backups. Manage > Settings lists them, and shows which were left out because the workspace did not start with them.",
        also: "packages plugins extensions npm install integrations",
      },
      {
        id: "files",
        question: "Where do workflows keep files?",
        answer:
          "In n8n, the node Read/Write Files from Disk reads and writes the workspace's folder .n8n-files, and no other: write .n8n-files/report.pdf as the path. They survive restarts and updates, and are part of backups.",
        also: "disk storage folder path read write save upload download access not allowed",
      },
      {
        id: "delete-workspace",
        question: "How do I delete my workspace?",
        answer:
          "Under Manage > Danger zone. A last backup is made first and kept for {{backupDays}} days: it can be restored into a new workspace. Your account and your subscription continue.",
        also: "remove danger zone erase close",
      },
    ],
  },
  {
    title: "Versions and updates",
    items: [
      {
        id: "update",
        question: "How do I update my workspace?",
        answer:
          "Under Manage > Versions, choose a version and save, or have updates installed automatically during hours that you set. A backup is made before each update.",
        also: "upgrade release version channel automatic maintenance window",
      },
      {
        id: "update-back",
        question: "Can I go back to an older version?",
        answer:
          "After an update, you can roll back to the previous version under Manage > Versions. This restores the backup made before the update; later changes are removed from the workspace and kept as a backup. Otherwise a version that migrated the database cannot be downgraded.",
        also: "downgrade roll back rollback undo revert migration version",
      },
    ],
  },
  {
    title: "Backups and exports",
    items: [
      {
        id: "backups",
        question: "When are backups made, and where are they?",
        answer:
          "Every night, before each update, restore and deletion, and on request. Each one is encrypted, then opened and verified before it is listed as successful. They are listed under Manage > Backups, which also shows how long your plan keeps them.",
        also: "backup back up copy snapshot safe data loss",
      },
      {
        id: "restore-backup",
        question: "How do I restore a backup?",
        answer:
          "Under Manage > Backups, choose Restore beside the backup. The backup replaces everything in the workspace, which is down for about a minute. The current state is backed up first.",
        also: "backup back up recover undo rollback lost deleted",
      },
      {
        id: "export",
        question: "How do I take my workflows and credentials with me?",
        answer:
          "Under Manage > Export. “Export workflows” creates a zip file that you can import into any workspace of the same kind. You can include credentials, encrypted with a passphrase that you choose. You can download whole backups under Manage > Backups.",
        also: "download move migrate leave save workflow credential json backup",
      },
    ],
  },
  {
    title: "Trial and limits",
    items: [
      {
        id: "trial",
        question: "How long is the trial, and what does it cost?",
        answer: `${trialDays} days from the launch of your workspace. It is free, and no credit card is required.`,
        also: "free test demo price card",
      },
      {
        id: "limits",
        question: "What are the limits of my plan?",
        answer:
          "The dashboard shows this period's executions and your active workflows, with your plan's limits. We email you at 80%, unless you turn that email off under Notifications, and at 100%. After that, new executions are refused until the next period starts or you choose a larger plan.",
        also: "quota usage executions workflows limit used up exceeded",
      },
      {
        id: "technical-limits",
        question: "What are the technical limits of a workspace?",
        answer:
          "A webhook has 300 seconds to respond. After that its caller gets 504, and the execution continues. Request bodies can be up to 16 MB (files sent as a form: 200 MB); larger ones get 413. While a workspace starts, up to 1,000 calls wait for up to 28 seconds, then callers get 503. One webhook call for each 64 MB of memory runs at a time, and a large body counts as several; up to 1,000 more wait, and callers beyond get 429. At most 512 requests of all kinds run at the same time; more get 503. When your plan's executions are used up, callers get 429 (402 in a trial) before anything runs. With 503, 429 and 402, the Retry-After header says when to try again. Port 25 and private networks cannot be reached from a workspace.",
        also: "timeout 504 413 503 429 402 size upload large payload waiting smtp retry-after webhook request",
      },
      {
        id: "python",
        question: "Can a Code node of n8n run Python?",
        answer:
          "No. Code nodes run JavaScript, with the modules crypto, luxon and moment. One in Python, from an imported workflow, fails and says so: translate its code.",
        also: "python code node language script import",
      },
      {
        id: "sharing",
        question: "What can members of my workspace share?",
        answer:
          "Each person gets their own space. Unless your plan lists shared projects, workflows and credentials are not shared between people: to hand a workflow over, download it as JSON and import it there. Environment variables and the plan's limits apply to the whole workspace. In Node-RED only the owner signs in.",
        also: "members people seats team share project collaborate credentials workflows",
      },
      {
        id: "trial-end",
        question: "What happens when the trial ends?",
        answer:
          "The workspace stops, and its data is kept for 7 days. Choose a plan to restart it as it was. After 7 days it is deleted, and a last backup is kept for {{backupDays}} days. If you choose a plan within that time, everything comes back from it. You can also download it under Manage > Backups. We email you before each step.",
        also: "expire over deleted data after",
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
          "Use the button in the header of each page. Before you confirm, you see what is due now, what it costs from then on, and what stops working.",
        also: "upgrade downgrade price pricing cost bigger smaller yearly monthly custom quota",
      },
      {
        id: "failed-payment",
        question: "A payment failed. What happens now?",
        answer:
          "Your workspace keeps running for now. Manage > Billing shows the days on which we retry the payment. You can change the card or pay there. After the last attempt, the subscription is paused and the workspace stops. Its data is kept for 30 days, and resubscribing restarts it as it was. After that it is deleted, and a last backup is kept for another {{backupDays}} days.",
        also: "declined card past due paused resubscribe",
      },
      {
        id: "invoices",
        question: "Where are my invoices?",
        answer:
          "Under Manage > Billing: open one to read or print it, or download it as a PDF. On the billing page, you can set the name, address and VAT ID for future invoices.",
        also: "receipt bill billing tax vat pdf company",
      },
      {
        id: "cancel",
        question: "How do I cancel?",
        answer:
          "Under Manage > Billing. Everything keeps working until the paid period ends, and you can undo the cancellation until then. The workspace then stops, a last backup is made and verified, and the workspace is deleted with its workflows and credentials. The last backup is kept for {{backupDays}} days: resubscribe within that time, and everything comes back from it, at the same URL. You can also download it under Manage > Backups.",
        also: "end subscription stop unsubscribe quit terminate refund money expensive",
      },
    ],
  },
  {
    title: "The panel",
    items: [
      {
        id: "language",
        question: "How do I change the language, the theme or the timezone of the panel?",
        answer:
          "The header has a button for the theme, and the footer the language. Under Profile, you can set the language for all your browsers and emails, and the timezone in which times are shown. Schedules in your workspace use the workspace's own timezone.",
        also: "german english deutsch translation dark light mode appearance time",
      },
      {
        id: "emails",
        question: "Which emails do I get, and how do I turn them off?",
        answer:
          "Under Notifications, you can turn off emails about usage, installed updates and finished exports. Emails about your money, your access or your data are always sent.",
        also: "notification notifications mail unsubscribe newsletter alerts",
      },
      {
        id: "shortcuts",
        question: "Are there keyboard shortcuts?",
        answer:
          "Ctrl K, or ⌘ K on a Mac, opens a search for every page, action, member and answer. Press g, then another letter, to go to a page. The ? key lists all shortcuts, and lets you turn off single-key ones.",
        also: "keys hotkeys keyboard command palette search",
      },
      {
        id: "api",
        question: "Is there an API?",
        answer:
          "Yes, for everything the panel does. The API reference lists each call with examples in curl and TypeScript, and lets you try it with your own session.",
        also: "rest openapi curl typescript developer automate script reference documentation",
      },
    ],
  },
];
