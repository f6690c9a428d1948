/** Asks the workspace's own host, through a worker (apps/provisioner/looks/answer-looks.ts), and waits a moment for the answer. */
import { setTimeout as delay } from "node:timers/promises";
import { askLook, readLook, type Look, type LookKind } from "#domain/workspaces/observed/look-store.ts";
import type { Services } from "../services.ts";

/** A healthy host answers in about 10 ms; for an unhealthy one the caller should not wait longer than this. */
const answerTimeoutMs = 3_000;
const lookEveryMs = 40;

export interface LookAnswer {
  look: Look | undefined;
  /** False: no answer came in time, and `look` holds the last one. */
  isCurrent: boolean;
}

/** The answer, or the last one available. */
export async function lookInto({ db, clock }: Services, workspaceId: string, kind: LookKind): Promise<LookAnswer> {
  await askLook(db, workspaceId, kind, clock.now());
  const deadline = performance.now() + answerTimeoutMs;
  for (;;) {
    const look = await readLook(db, workspaceId, kind);
    if (look && look.askedAt === null) return { look, isCurrent: true };
    if (performance.now() >= deadline) return { look, isCurrent: false };
    await delay(lookEveryMs);
  }
}
