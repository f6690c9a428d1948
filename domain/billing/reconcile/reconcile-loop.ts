/**
 * The worker's part: a beat every minute, by which a gap in the database's memory is noticed, and comparing with the provider: immediately after
 * a gap, and each night.
 */
import { setTimeout as delay } from "node:timers/promises";
import { beat, readMemoryGap } from "#domain/memory-gap/memory-gap-store.ts";
import { dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import type { Rounds } from "#platform/loops/rounds.ts";
import { createWakeLoop } from "#platform/loops/wake-loop.ts";
import { leaveLease, takeLease } from "#platform/postgres/lease.ts";
import type { Billing } from "../billing.ts";
import { ComparisonEnded, reconcile, reconcileSince } from "./reconcile.ts";

const beatMs = minuteMs;
/** Renewed before each account, and each minute of a wait; a killed process's is free again then. */
const leaseSeconds = 300;
/** In UTC: few customers work then, and providers charge all day. */
const nightlyAtMs = 3 * hourMs;
/** How soon a wait for the provider notices that the process stops. */
const stopWithinMs = 500;
const leaseName = "reconcile";

interface ReconcileLoop {
  /** Checks now: the clock was moved. */
  wake(): void;
  stop(): Promise<void>;
}

/** Starts the loops. Resolves after the first beat, so that whatever starts next knows of a gap. */
export async function startReconciling(billing: Billing, rounds?: Rounds): Promise<ReconcileLoop> {
  const { db, clock, log } = billing;
  let lastBeat: string | null = null;
  const beatNow = async () => void (lastBeat = await beat(db, clock.now(), lastBeat));
  await beatNow();
  const beats = createWakeLoop({
    work: beatNow,
    followed: { by: rounds, name: "beats" },
    onError: (err) => log.warn({ err }, "the beat could not be written; the next one is due in a minute"),
  });
  const comparing = createWakeLoop({
    work: (isStopping) => reconcileIfDue(billing, { isStopping }),
    onError: (err) => log.error({ err }, "comparing with the payment provider failed; it is repeated in a minute"),
  });
  beats.start(beatMs);
  comparing.start(beatMs);
  return {
    wake: comparing.wake,
    async stop() {
      await Promise.all([beats.stop(), comparing.stop()]);
    },
  };
}

/** Compares if there is a gap, or the night's comparison is due, unless another process does. */
export async function reconcileIfDue(
  billing: Billing,
  { isStopping = () => false, renewsEveryMs = minuteMs }: { isStopping?: () => boolean; renewsEveryMs?: number } = {},
): Promise<void> {
  const { db, clock, log } = billing;
  const { since: gap, reconciledAt } = await readMemoryGap(db);
  const nightOf = (at: Date) => Math.floor((at.getTime() - nightlyAtMs) / dayMs);
  if (!gap && reconciledAt && nightOf(reconciledAt) >= nightOf(clock.now())) return;
  const holder = newId();
  if (!(await takeLease(db, leaseName, holder, leaseSeconds))) return;
  const goOn = async () => {
    if (isStopping()) throw new ComparisonEnded();
    if (await takeLease(db, leaseName, holder, leaseSeconds)) return;
    log.warn("the comparison with the payment provider stood still for too long, and another process has taken it over");
    throw new ComparisonEnded();
  };
  try {
    const since = await reconcileSince(billing);
    if (gap) log.error({ since }, "the database may have forgotten what happened since then: it is compared with the payment provider");
    const { listed, compared, healed, findings } = await reconcile(billing, {
      since,
      everyone: gap !== null,
      onAccount: goOn,
      async wait(ms) {
        await goOn();
        let renewedAtMs = performance.now();
        for (const endsAtMs = renewedAtMs + ms; performance.now() < endsAtMs; await delay(stopWithinMs)) {
          if (isStopping()) throw new ComparisonEnded();
          if (performance.now() - renewedAtMs < renewsEveryMs) continue;
          await goOn();
          renewedAtMs = performance.now();
        }
      },
    });
    log.info({ listed, compared, healed: healed.length, findings: findings.length }, "compared with the payment provider");
  } catch (error) {
    if (!(error instanceof ComparisonEnded)) throw error;
  } finally {
    await leaveLease(db, leaseName, holder);
  }
}
