/** Asks the workspace's own host, through a worker (apps/provisioner/looks/answer-looks.ts), and waits a moment for the answer. */
import { setTimeout as delay } from "node:timers/promises";
import { askLook, readLook, type Look, type LookKind } from "#domain/workspaces/observed/look-store.ts";
import type { Services } from "../services.ts";

/** A healthy host answers in about 10 ms; for an unhealthy one the caller should not wait longer than this. */
const answerTimeoutMs = 3_000;
/** A sleeping one is woken first: a start takes 5 s, more on a busy host. Less than the 30 s after which a worker drops the question. */
const wakingTimeoutMs = 25_000;
const lookEveryMs = 40;
const lookLaterEveryMs = 500;

export interface LookAnswer {
  look: Look | undefined;
  /** False: no answer came in time, and `look` holds the last one. */
  isCurrent: boolean;
}

/** The answer, or the last one available. @param isAsleep the question wakes the workspace: it is given the time that a wake takes. */
export async function lookInto({ db, clock }: Services, workspaceId: string, kind: LookKind, isAsleep = false): Promise<LookAnswer> {
  await askLook(db, workspaceId, kind, clock.now());
  const usualDeadline = performance.now() + answerTimeoutMs;
  const deadline = isAsleep ? performance.now() + wakingTimeoutMs : usualDeadline;
  for (;;) {
    // Before reading: on a busy host the answer may have come while the time ran out.
    const isLast = performance.now() >= deadline;
    const look = await readLook(db, workspaceId, kind);
    if (look && look.askedAt === null) return { look, isCurrent: true };
    if (isLast) return { look, isCurrent: false };
    await delay(performance.now() < usualDeadline ? lookEveryMs : lookLaterEveryMs);
  }
}
