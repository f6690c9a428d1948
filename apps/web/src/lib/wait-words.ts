/** How long to wait, as people say it. */
import { inEachLanguage } from "./formats.ts";

const relative = inEachLanguage((language) => new Intl.RelativeTimeFormat(language));

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/**
 * `in 42 seconds`, `in 24 hours`: in the largest unit of which it is more than two. It is rounded up, so that whoever waits as long as it
 * says has waited long enough.
 */
export function waitWords(seconds: number): string {
  const [unit, length] = units.find((each) => seconds > 2 * each[1]) ?? (["second", 1] as const);
  return relative().format(Math.ceil(seconds / length), unit);
}
