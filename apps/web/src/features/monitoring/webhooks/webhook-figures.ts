/** Formats figures about calls of webhooks. */
import type { WebhookFigures } from "#contract/workspaces/monitoring/monitoring.ts";
import { number, numberFormat } from "../../../lib/formats.ts";

const tenths = numberFormat({ maximumFractionDigits: 1 });

/** A time in milliseconds, with its unit: the same in every language. */
export const formatLatency = (ms: number): string => (ms < 1000 ? `${number.format(ms)} ms` : `${tenths.format(ms / 1000)} s`);

/** The share of calls that did not fail, in percent: 100 only if none did. At least one call. */
export const answeredPercent = ({ calls, failed }: Pick<WebhookFigures, "calls" | "failed">): string =>
  tenths.format(Math.floor(((calls - failed) * 1000) / calls) / 10);

type Span = WebhookFigures & { at: string };

/** Every span from one moment to another, including those without calls. Spans begin at whole multiples of their length since 1970. */
export function everySpan({
  from,
  to,
  spanMinutes,
  points,
}: {
  from: string;
  to: string;
  spanMinutes: number;
  points: readonly Span[];
}): Span[] {
  const spanMs = spanMinutes * 60_000;
  const known = new Map(points.map((point) => [Date.parse(point.at), point]));
  const first = Math.floor(Date.parse(from) / spanMs);
  const last = Math.floor(Date.parse(to) / spanMs);
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const atMs = (first + index) * spanMs;
    const none = { calls: 0, clientErrors: 0, failed: 0, waited: 0, medianMs: null, p95Ms: null };
    return known.get(atMs) ?? { at: new Date(atMs).toISOString(), ...none };
  });
}
