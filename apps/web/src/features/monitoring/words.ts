/** Words of the Monitoring page. */
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

export const monitoringWords = {
  pageLead: "What the workspace uses, and when it stopped",
  range: { label: "Time range", "1h": "1 hour", "24h": "24 hours", "7d": "7 days", "30d": "30 days" },
  resources: {
    title: "Resources",
    lead: "Usage and limits, with events on the same axis",
    failed: "The resource usage could not be loaded",
    empty: "No measurements in this period",
    emptyText: "The first figures appear a minute after the workspace is online.",
  },
  memory: {
    title: "Memory",
    lead: "Memory counted toward the limit, without the page cache",
    planned: "Your plan includes {{planned}} MB. The workspace runs with {{limit}} MB until its next restart.",
    read: "Memory over time. Use arrow keys to read each point.",
    amount: "{{value}} MB",
  },
  cpu: {
    title: "Processor",
    lead: "Share of one processor, averaged over each minute",
    read: "Processor over time. Use arrow keys to read each point.",
    amount: "{{value}}%",
  },
  disk: {
    title: "Disk",
    lead: "Space used by the workspace's files, including its database",
    read: "Disk over time. Use arrow keys to read each point.",
    amount: "{{value}} MB",
  },
  webhooks: {
    title: "Webhooks",
    lead: "Calls to your production webhooks, as seen by our gateway",
    failed: "The webhook calls could not be loaded",
    empty: "No calls in this period",
    emptyText: "Calls to your production webhooks appear here within half a minute.",
    calls: "Calls",
    answered: "Answered",
    failedCalls: "Failed",
    median: "Median",
    p95: "95th percentile",
    percent: "{{value}}%",
    of: "{{errors}} answered with 4xx. {{failed}} failed: refused, 5xx or no answer. {{waited}} waited for the workspace to start or wake and are not included in the times.",
    label_one: "{{count}} call, {{failed}} of them failed.",
    label_other: "{{count}} calls, {{failed}} of them failed.",
    bar: "{{time}}: calls {{calls}}, failed {{failed}}",
    times: "Response time (95th percentile)",
    highest: "Highest {{value}}",
    read: "Response time. Use arrow keys to read each point.",
  },
  summary: "Now {{now}}, peak {{peak}} at {{time}}, limit {{limit}}",
  peakOnly: "Peak {{peak}} at {{time}}, limit {{limit}}",
  point: "{{time}}: {{value}}",
  limit: "Limit {{limit}}",
  table: "Show as a table",
  time: "Time",
  highest: "Peak of each interval",
  marks: {
    title: "Events in this period",
    empty: "No events in this period.",
    kinds: { stop: "Unexpected stop", restart: "Restart", version: "Version", backup: "Backup" },
    more_one: "and {{count}} more",
    more_other: "and {{count}} more",
  },
  crashes: {
    title: "Crash history",
    lead: "Unexpected stops and their causes",
    empty: "No unexpected stops",
    emptyText: "If the workspace stops unexpectedly, the cause appears here.",
  },
} as const;

export const t = wordsOf({ ...frameWords, monitoring: monitoringWords }, { de: () => import("./words.de.ts") });
