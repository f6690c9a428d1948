/**
 * One caller's stream of a workspace's output: the newest lines, then the additions that a worker sends. If anything may have been missed,
 * everything is sent again.
 */
import { z } from "zod";
import type { OutputEvent } from "#contract/workspaces/monitoring/logs.ts";
import type { OutputPiece } from "#domain/workspaces/observed/output-channel.ts";
import { secondMs } from "#platform/clock.ts";
import type { EventStream } from "#platform/http/stream-events.ts";
import type { Services } from "../services.ts";
import { lookInto } from "./look-into.ts";

/** The answer to a look at output; `following` and `piece` are present only while it is followed. */
export const printed = z.object({ text: z.string(), following: z.string().optional(), piece: z.number().optional() });

interface OutputStream {
  workspaceId: string;
  stream: EventStream;
  /** Whether the caller may still see this workspace: asked before lines are sent, at most every few seconds, and with each beat. */
  isAllowed(): Promise<boolean>;
  left(): void;
}

/** An ended session receives no lines after this time. */
const askedEveryMs = 2 * secondMs;
/** Lines waiting while the caller is looked up; if there are more, everything is sent again. */
const mostWaiting = 64;

/** Streams until the caller leaves, may no longer see the workspace, or the program ends. Holds no database connection in the meantime. */
export async function followOutput(services: Services, { workspaceId, stream, isAllowed, left }: OutputStream): Promise<void> {
  const { clock, log } = services;
  let waiting: OutputPiece[] = [];
  let last: { following: string; piece: number } | undefined;
  let isStale = true;
  let allowedAt = performance.now();
  let working = false;
  let isOver = false;

  const send = (event: OutputEvent): void => stream.send("output", JSON.stringify(event));
  const ask = async () => {
    const { look, isCurrent } = await lookInto(services, workspaceId, "follow-logs");
    return { isCurrent, answeredAt: look?.answeredAt ?? null, known: printed.safeParse(look?.answer).data };
  };
  const sendWhole = async (): Promise<void> => {
    isStale = false;
    const { isCurrent, answeredAt, known } = await ask();
    const { text = "", following, piece = 0 } = known ?? {};
    // Without a reading (the host does not answer, or its worker follows too many) everything is read and sent again with the next beat.
    last = isCurrent && following !== undefined ? { following, piece } : undefined;
    send({ text, isWhole: true, isCut: false, readAt: answeredAt?.toISOString() ?? null, isCurrent, isLive: last !== undefined });
  };
  const sendPiece = ({ following, piece, text, isCut }: OutputPiece): void => {
    if (!last || following !== last.following || piece > last.piece + 1) isStale = true;
    if (isStale || piece <= last!.piece) return;
    last = { following, piece };
    send({ text, isWhole: false, isCut, readAt: clock.now().toISOString(), isCurrent: true, isLive: true });
  };
  const work = async (): Promise<void> => {
    if (working || isOver) return;
    working = true;
    try {
      do {
        if (performance.now() - allowedAt > askedEveryMs) {
          if (!(await isAllowed())) return stream.end();
          allowedAt = performance.now();
        }
        // A client that does not read is not written to; the next beat looks again.
        if (stream.isBehind) {
          isStale = true;
          waiting = [];
          return;
        }
        if (isStale) await sendWhole();
        const pieces = waiting;
        waiting = [];
        pieces.forEach(sendPiece);
      } while (!isOver && (isStale || waiting.length > 0));
    } catch (err) {
      log.warn({ err, workspaceId }, "a stream of output could not be continued");
      stream.end();
    } finally {
      working = false;
    }
  };
  const unfollow = services.outputWatch.follow(
    workspaceId,
    {
      onPiece(piece) {
        if (waiting.length >= mostWaiting) isStale = true;
        else waiting.push(piece);
        void work();
      },
      onRenewed(following) {
        if (following === last?.following) return;
        isStale = true;
        void work();
      },
      onGap() {
        isStale = true;
        void work();
      },
      onEnd: () => stream.end(),
    },
    async () => {
      const { isCurrent, known } = await ask();
      return isCurrent ? known?.following : undefined;
    },
  );
  stream.onBeat(() => {
    allowedAt = -Infinity;
    if (!last) isStale = true;
    void work();
  });
  stream.onEnd(() => {
    isOver = true;
    unfollow();
    left();
  });
  await work();
}
