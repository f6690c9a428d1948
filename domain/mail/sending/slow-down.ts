/**
 * Tells failures that are about us from those about a mail. While the server is away or refuses our sign-in, one mail at a time is tried,
 * ever more seldom, and none is given up; the first answer about a mail ends that. From a server that knows no recipient any more (a wrong
 * relay, a lapsed account), the first nine bare refusals are final, and later ones are not. Decision 0244.
 */
import { after, minuteMs, secondMs, type Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import { MailRefused, MailServerTrouble } from "./transport.ts";

/** Different recipients, with no mail sent between: more than strangers mistype in a row. */
const refusedInARow = 10;
const firstWaitMs = 10 * secondMs;
const longestWaitMs = minuteMs;

/** What follows for the mail: it waits until then without a counted try, gets another try by its own waits, or is given up. */
export type Consequence = { heldUntil: Date } | "retry" | "give-up";

export interface SlowDown {
  /** How many mails may begin now, of `most` at a time with `underWay` begun. */
  room(most: number, underWay: number): number;
  /** A mail was sent: nothing is wrong. */
  sent(): void;
  /** Judges a failed attempt. */
  failed(recipient: string, error: unknown): Consequence;
}

/** One for each process that sends. */
export function createSlowDown({ clock, log }: { clock: Clock; log: Log }): SlowDown {
  const refused = new Set<string>();
  let until: Date | null = null;
  let waitMs = 0;

  function hold(reason: string): Date {
    // Others that were under way when it began.
    if (until && clock.now() < until) return until;
    if (!until) log.error({ reason }, "the mail server takes no mail from us; one at a time is tried until it does");
    waitMs = Math.min(waitMs * 2 || firstWaitMs, longestWaitMs);
    return (until = after(clock.now(), waitMs));
  }
  function release(): void {
    if (until) log.info("the mail server answers again");
    until = null;
    waitMs = 0;
  }
  return {
    room: (most, underWay) => (until ? Number(clock.now() >= until && underWay === 0) : most - underWay),
    sent() {
      refused.clear();
      release();
    },
    failed(recipient, error) {
      if (error instanceof MailServerTrouble && error.concernsAll) return { heldUntil: hold(error.message) };
      if (error instanceof MailServerTrouble || error instanceof MailRefused) release();
      if (!(error instanceof MailRefused)) return "retry";
      if (error.isUnambiguous) return "give-up";
      if (refused.size < refusedInARow) refused.add(recipient);
      if (refused.size < refusedInARow) return "give-up";
      log.error({ reason: error.message }, "the mail server refuses one recipient after the other; no mail is given up until one is sent");
      return "retry";
    },
  };
}
