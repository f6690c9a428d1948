/** Words of the Logs page. */
import { frameWords } from "../../words/frame.ts";
import { wordsOf } from "../../words/words-of.ts";

export const logsWords = {
  pageLead: "What the workspace writes while it runs",
  title: "Output",
  lead: "Live output from the workspace's most recent starts",
  failed: "The logs could not be loaded",
  old: "The workspace's host did not respond. These logs are from {{time}}.",
  never: "The workspace's host did not respond. Try again in a moment.",
  empty: "No output yet",
  emptyText: "Lines appear here as soon as the workspace writes them.",
  noMatch: "No lines match",
  noMatchText: "None of the newest lines match your filters.",
  clear: "Clear filters",
  output: "Output of the workspace",
  search: "Search",
  level: "Level",
  levels: { all: "All", error: "Errors", warn: "Warnings and errors", info: "Info and above", debug: "Debug and above" },
  names: { error: "error", warn: "warning", info: "info", debug: "debug" },
  download: "Download",
  live: "Live",
  slow: "Updated every 15 seconds",
  offline: "Not live",
  paused: "Paused",
  count_one: "{{count}} line",
  count_other: "{{count}} lines",
  countOf: "{{shown}} of {{all}} lines",
  jump: "Jump to newest",
  newLines_one: "{{count}} new line",
  newLines_other: "{{count}} new lines",
  gap: "Some lines are missing because the workspace wrote more than can be shown. The download contains more of them.",
  showAll: "Show the whole line",
} as const;

export const t = wordsOf({ ...frameWords, logs: logsWords }, { de: () => import("./words.de.ts") });
