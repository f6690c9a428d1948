/** Which workspaces' output the callers of this process follow, and who receives what a worker sends. */
import { outputPiece, type OutputPiece } from "#domain/workspaces/observed/output-channel.ts";
import { secondMs } from "#platform/clock.ts";

interface OutputFollower {
  onPiece(piece: OutputPiece): void;
  /** A worker keeps reading, and this is its reading; undefined: no worker responds. */
  onRenewed(following: string | undefined): void;
  /** Pieces may have been lost. */
  onGap(): void;
  /** No more will come, because the program is stopping. */
  onEnd(): void;
}

export interface OutputWatch {
  /**
   * Calls back until the returned function is called. `renew` tells a worker every 15 s that it is still followed, once for all followers,
   * and returns its reading.
   */
  follow(workspaceId: string, follower: OutputFollower, renew: () => Promise<string | undefined>): () => void;
  /** A notification of `workspaceOutput` arrived. */
  arrived(payload: string): void;
  /** The connection to the database was lost for a while. */
  lost(): void;
  /** The program is stopping: streams are closed cleanly. */
  close(): void;
}

/** Less than half of the time that a worker continues without a renewal: follow-output.ts. */
const renewEveryMs = 15 * secondMs;

/** An empty watch. */
export function createOutputWatch(): OutputWatch {
  const followed = new Map<string, { followers: Set<OutputFollower>; timer: NodeJS.Timeout }>();
  const all = (): OutputFollower[] => [...followed.values()].flatMap(({ followers }) => [...followers]);
  return {
    follow(workspaceId, follower, renew) {
      let each = followed.get(workspaceId);
      if (!each) {
        const all = new Set<OutputFollower>();
        const tell = (following: string | undefined) => all.forEach(({ onRenewed }) => onRenewed(following));
        // A failed renewal is made up for by the next one.
        each = { followers: all, timer: setInterval(() => void renew().then(tell, () => tell(undefined)), renewEveryMs) };
        followed.set(workspaceId, each);
      }
      const { followers, timer } = each;
      followers.add(follower);
      return () => {
        followers.delete(follower);
        if (followers.size > 0 || followed.get(workspaceId)?.followers !== followers) return;
        clearInterval(timer);
        followed.delete(workspaceId);
      };
    },
    arrived(payload) {
      if (followed.size === 0) return;
      const piece = outputPiece.safeParse(JSON.parse(payload)).data;
      if (piece) followed.get(piece.workspaceId)?.followers.forEach((follower) => follower.onPiece(piece));
    },
    lost: () => all().forEach((follower) => follower.onGap()),
    close: () => all().forEach((follower) => follower.onEnd()),
  };
}
