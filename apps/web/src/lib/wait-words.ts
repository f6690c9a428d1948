import { spokenLanguage } from "../words/spoken.ts";

/**
 * How long to wait, as people say it: `in 42 seconds`, `in 24 hours`, in the largest unit of which it is more than two. No wait is longer
 * than a day. It is rounded up, so that whoever waits as long as it says has waited long enough.
 */
export function waitWords(seconds: number): string {
  const [length, unit] =
    seconds > 7_200 ? ([3_600, "hour"] as const) : seconds > 120 ? ([60, "minute"] as const) : ([1, "second"] as const);
  return new Intl.RelativeTimeFormat(spokenLanguage.get()).format(Math.ceil(seconds / length), unit);
}
