/** Turns a workspace's output into lines that can be shown, filtered and searched. It is untrusted: the result is only ever text. */

import type { OutputEvent } from "#contract/workspaces/monitoring/logs.ts";

export type LogLevel = "error" | "warn" | "info" | "debug";

export interface LogLine {
  /** Counts the lines of this page; never used twice. */
  key: number;
  /** From the line itself; null if it has none. */
  at: Date | null;
  level: LogLevel | null;
  text: string;
  /** Lines are missing before it. */
  isAfterGap: boolean;
}

/** The limit of one page; older output is in the download. */
export const mostLines = 2_000;
/** Longer lines are not read as JSON, and are shown cut. */
const mostReadCharacters = 32 * 1024;

/** From the most to the least severe. */
export const levels: readonly LogLevel[] = ["error", "warn", "info", "debug"];

/** A map: a line may name its level `constructor`, which every object has. */
const levelNames: ReadonlyMap<string, LogLevel> = new Map([
  ["fatal", "error"],
  ["error", "error"],
  ["warn", "warn"],
  ["warning", "warn"],
  ["info", "info"],
  ["log", "info"],
  ["verbose", "debug"],
  ["debug", "debug"],
  ["trace", "debug"],
]);

/** Colours and cursor movements of terminals, then every other control character but the tab. */
// oxlint-disable-next-line no-control-regex
const terminalCodes = /\u001b(?:\[[0-9;:<=>?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

const withoutCodes = (raw: string): string => raw.replace(terminalCodes, "").replace(controls, "");

export interface Output {
  lines: readonly LogLine[];
  /** How many lines have arrived so far, kept or not. */
  total: number;
  /** When the newest lines were read; null: not yet. */
  readAt: string | null;
  /** False: the host did not answer, so these lines are older. */
  isCurrent: boolean;
}

/** `live`: new lines arrive as they are written; `slow`: the newest are read again every 15 s; null: none arrive. */
export type OutputPace = "live" | "slow" | null;

/** How lines arrive, according to this event. */
export const paceOf = ({ isCurrent, isLive }: OutputEvent): OutputPace => (isCurrent ? (isLive ? "live" : "slow") : null);

/** Distinguishes lines with the same text. */
const comparedLines = 5;

/**
 * The output after an event. Output that is sent as a whole continues the known lines if it contains the end of them. While the host does
 * not answer, output read before the newest known lines does not replace them.
 */
export function withEvent(before: Output | undefined, { text, isWhole, isCut, readAt, isCurrent }: OutputEvent): Output {
  if (before?.readAt && !isCurrent && (readAt ?? "") <= before.readAt) return { ...before, isCurrent };
  const known = before?.lines ?? [];
  const added = readLines(text, known.at(-1), isCut);
  const isNew = isWhole ? lastIndexOfEnd(added, known.slice(-comparedLines)) + 1 : 0;
  const fresh = added.slice(isNew);
  const lines = isWhole && isNew === 0 ? fresh : [...known, ...fresh];
  return { lines: lines.slice(-mostLines), total: (before?.total ?? 0) + fresh.length, readAt, isCurrent };
}

/** The index in `lines` at which `end` last ends; -1 if it is not in them, or is empty. */
function lastIndexOfEnd(lines: readonly LogLine[], end: readonly LogLine[]): number {
  if (end.length === 0) return -1;
  return lines.findLastIndex((_line, last) => end.every(({ text }, place) => lines[last - end.length + 1 + place]?.text === text));
}

/** At most the newest `mostLines` of a text, with keys that continue after `last`. */
function readLines(text: string, last: LogLine | undefined, isCut: boolean): LogLine[] {
  const raw = text.split("\n");
  if (raw.at(-1) === "") raw.pop();
  let before = last;
  let isAfterGap = isCut || raw.length > mostLines;
  return raw.slice(-mostLines).map((each) => {
    before = { ...readLine(each, before?.level ?? null), key: (before?.key ?? 0) + 1, isAfterGap };
    isAfterGap = false;
    return before;
  });
}

/** n8n writes JSON, Node-RED names the level in brackets; other lines have no level, except errors and the lines that follow them. */
function readLine(raw: string, before: LogLevel | null): Omit<LogLine, "key" | "isAfterGap"> {
  const known = raw.length <= mostReadCharacters ? (readJson(raw) ?? readBracketed(raw)) : null;
  if (known) return known;
  const text = withoutCodes(raw);
  if (/^(?:FATAL ERROR|(?:Uncaught )?[A-Za-z]*Error\b)/.test(text)) return { at: null, level: "error", text };
  // The lines of a stack belong to their error.
  return { at: null, level: /^\s+\S/.test(text) ? before : null, text };
}

function readJson(raw: string): Omit<LogLine, "key" | "isAfterGap"> | null {
  if (!raw.startsWith("{")) return null;
  try {
    const { level, message, metadata } = JSON.parse(raw) as Record<string, unknown>;
    const named = typeof level === "string" ? levelNames.get(level.toLowerCase()) : undefined;
    if (!named || typeof message !== "string") return null;
    // Where in the tool a line was written says little to an owner.
    const { timestamp, file: _file, function: _function, ...rest } = (metadata ?? {}) as Record<string, unknown>;
    const more = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : "";
    const at = typeof timestamp === "string" ? new Date(timestamp) : null;
    const lines = `${message}${more}`.split("\n").map(withoutCodes);
    return { at: at && !Number.isNaN(at.getTime()) ? at : null, level: named, text: lines.join("\n") };
  } catch {
    return null;
  }
}

function readBracketed(raw: string): Omit<LogLine, "key" | "isAfterGap"> | null {
  const text = withoutCodes(raw);
  const name = /^\d{1,2} \w{3} \d{2}:\d{2}:\d{2} - \[(\w+)\] /.exec(text)?.[1];
  const level = name === undefined ? undefined : levelNames.get(name.toLowerCase());
  return level ? { at: null, level, text } : null;
}

export interface LogFilter {
  /** Lines of at least this severity; null: all, including those without a level. */
  level: LogLevel | null;
  /** In capitals or not. */
  search: string;
}

/** The lines that match. */
export function filterLines(lines: readonly LogLine[], { level, search }: LogFilter): readonly LogLine[] {
  const wanted = search.trim().toLowerCase();
  if (level === null && wanted === "") return lines;
  const least = level === null ? Infinity : levels.indexOf(level);
  return lines.filter(
    (line) =>
      (level === null || (line.level !== null && levels.indexOf(line.level) <= least)) &&
      (wanted === "" || line.text.toLowerCase().includes(wanted)),
  );
}
