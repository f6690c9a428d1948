/** Words about what is used of a plan. */
export const usageWords = {
  title: "Usage",
  loading: "Loading usage…",
  notLoaded: "Your usage could not be loaded",
  none: "Nothing counted yet",
  noneText: "Executions and active workflows appear here within a minute of your workspace being online.",
  executions: "Executions",
  workflows: "Active workflows",
  ofLimit: "{{used}} of {{limit}}",
  unlimited: "{{used}}, unlimited",
  left: "{{count}} left",
  until: "Counted since {{from}}, until {{to}}",
  since: "Counted since {{from}}",
  forecast: "About {{count}} by {{date}}, if it goes on like this",
  forecastOver: "About {{count}} by {{date}}, if it goes on like this: more than your plan includes",
  nearly: {
    title: "{{percent}}% of your executions are used",
    text: "When all are used, workflows stop running. New executions come on {{date}}.",
    trialText: "When all are used, workflows stop running.",
  },
  reached: {
    title: "All your executions are used: workflows have stopped",
    text: "They run again on {{date}}, or at once with a larger plan. Nothing is lost: you can open, change and export everything.",
    trialText: "They run again with a larger plan. Nothing is lost: you can open, change and export everything.",
  },
  workflowsReached: {
    title: "All active workflows of your plan are in use",
    text: "To activate another one, deactivate one first or choose a larger plan.",
  },
  seePlans: "See plans",
  whatCounts: "What counts as an execution?",
  counts:
    "Each time a workflow starts by itself: by its schedule, a webhook or another trigger, or when a failed one is tried again. It counts once, however many steps it has, and also when it fails.",
  countsNot:
    "What you try out in the editor does not count, nor do workflows that another one calls, nor those refused for want of executions.",
  chart: {
    title: "Last 30 days",
    label_one: "{{count}} execution in the last 30 days, {{failed}} of them failed.",
    label_other: "{{count}} executions in the last 30 days, {{failed}} of them failed.",
    succeeded: "Succeeded",
    failed: "Failed",
    bar: "{{date}}: {{executions}} executions, {{failed}} failed",
    table: "Show as a table",
    date: "Day (UTC)",
    empty: "No executions in the last 30 days.",
  },
} as const;
