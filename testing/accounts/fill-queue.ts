/** Fills the queue of a public call with more callers than it has places, none of whom gets an answer before the end. */
import { expect } from "vitest";
import type { LightMyRequestResponse } from "fastify";
import type { TestApi } from "../test-api.ts";

export const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** More than have a place or wait. */
const mostCallers = 110;

/**
 * Makes the calls, and runs `during` once the queue refuses some. Their work waits for what `lock` (SQL) holds, as on a machine that is too
 * slow for all of them; `during` has until its own calls have found a place.
 */
export async function fillQueue(
  api: TestApi,
  lock: string,
  call: (index: number) => Promise<LightMyRequestResponse>,
  during: () => Promise<void>,
): Promise<void> {
  const holder = await api.database.pool.connect();
  try {
    await holder.query(`begin; ${lock}`);
    const flood = times(mostCallers).map(call);
    // Others may be refused for another reason first, such as too many guesses.
    await Promise.any(flood.map(async (answer) => expect((await answer).statusCode).toBe(503)));
    const mine = during();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await holder.query("commit");
    await mine;
    await Promise.all(flood);
  } finally {
    await holder.query("rollback");
    holder.release();
  }
}
