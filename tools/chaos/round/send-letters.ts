/** A steady stream of webhooks to one workspace, with the result of each. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Lane } from "../lane.ts";
import type { Fate, Tenant } from "../tenant.ts";

/** Refused before it was passed on. */
const refusedStatuses = new Set([503]);
/** The connection broke, or no answer came: the workspace may have received it. */
const unknownStatuses = new Set([502, 504]);

/**
 * Sends `count` letters, one each `everyMs`, without waiting for answers; resolves once all are answered. Violations are unexpected
 * answers.
 */
export async function sendLetters(
  lane: Lane,
  tenant: Tenant,
  { prefix, count, everyMs }: { prefix: string; count: number; everyMs: number },
): Promise<string[]> {
  const violations: string[] = [];
  const sending: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const letter = { id: `${prefix}-${index}`, text: `${prefix} ${index} `.repeat(150) };
    tenant.sent += 1;
    const keep = (fate: Fate): void => void tenant.letters.set(letter.id, { letter, fate });
    const answered = lane.hands.send(lane.slipway, tenant.customer, letter).then(
      ({ status, headers, text }) => {
        if (status === 200) return keep("answered");
        if (refusedStatuses.has(status)) {
          if (headers["retry-after"] === undefined) violations.push(`webhook ${letter.id} was refused without a time to come again`);
          return keep("refused");
        }
        if (!unknownStatuses.has(status)) violations.push(`webhook ${letter.id} was answered ${status}: ${text.slice(0, 100)}`);
        return keep("unknown");
      },
      () => keep("unknown"),
    );
    sending.push(answered);
    await sleep(everyMs);
  }
  await Promise.all(sending);
  return violations;
}
