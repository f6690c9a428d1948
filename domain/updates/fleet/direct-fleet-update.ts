/** What an operator decides about a fleet update: stop, resume, end, roll back. Each takes effect with the worker's next look. */
import type { Connection, Database } from "#platform/database.ts";
import {
  acceptTroubles,
  changeFleetUpdate,
  changePlanned,
  findOpenFleetUpdate,
  lockFleetUpdate,
  type FleetUpdate,
  type LeftOutReason,
} from "./fleet-update-store.ts";

export type Direction = "stop" | "resume" | "end" | "roll-back";

const possibleIn: Readonly<Record<Direction, readonly FleetUpdate["state"][]>> = {
  stop: ["running"],
  resume: ["stopped"],
  end: ["stopped", "rolling-back"],
  "roll-back": ["running", "stopped", "done", "ended"],
};

/**
 * Returns the fleet update as it was, if it was changed; otherwise why not. No update of a workspace begins after a stop has returned; those
 * under way finish.
 */
export async function directFleetUpdate(
  db: Database,
  { id, direction, operator, reason }: { id: string; direction: Direction; operator: string; reason: string | null },
  now: Date,
): Promise<{ update: FleetUpdate } | { refused: string }> {
  return db.transaction(async (tx) => {
    const update = await lockFleetUpdate(tx, id);
    if (!update) return { refused: `There is no fleet update ${id}.` };
    if (!possibleIn[direction].includes(update.state)) return { refused: `The fleet update ${id} is ${update.state}.` };
    switch (direction) {
      case "stop":
        await changeFleetUpdate(tx, id, { state: "stopped", stopReason: reason, stoppedAt: now, stoppedBy: operator });
        break;
      case "resume":
        await acceptTroubles(tx, id);
        // The others are watched for a whole soak time.
        await changeFleetUpdate(tx, id, { state: "running", stopReason: null, stoppedAt: null, stoppedBy: null, soakedMs: 0 });
        break;
      case "end":
        await endPlanned(tx, update);
        // A version that was being rolled back stays held.
        await changeFleetUpdate(tx, id, { state: update.state === "rolling-back" ? "rolled-back" : "ended", finishedAt: now });
        break;
      case "roll-back": {
        const open = await findOpenFleetUpdate(tx, update.engine);
        if (open && open.id !== id) return { refused: `Another fleet update is ${open.state}: ${open.id}. Stop and end it first.` };
        await changePlanned(tx, { id, states: ["waiting"] }, { state: "left-out", reason: "rolled-back-first" });
        await changeFleetUpdate(tx, id, {
          state: "rolling-back",
          stopReason: reason,
          stoppedAt: now,
          stoppedBy: operator,
          finishedAt: null,
        });
      }
    }
    return { update };
  });
}

/** What is under way goes on, and ends as it does for its owner: one that hangs must not keep the whole open for ever. */
async function endPlanned(tx: Connection, { id, state }: FleetUpdate): Promise<void> {
  const first = { reason: "ended-first" satisfies LeftOutReason };
  const meanwhile = { reason: "ended-meanwhile" satisfies LeftOutReason };
  await changePlanned(tx, { id, states: ["waiting"] }, { state: "left-out", ...first });
  await changePlanned(tx, { id, states: ["updating"] }, { state: "left-out", ...meanwhile });
  if (state === "rolling-back") await changePlanned(tx, { id, states: ["updated"] }, { state: "kept", ...first });
  await changePlanned(tx, { id, states: ["rolling-back"] }, { state: "kept", ...meanwhile });
}
