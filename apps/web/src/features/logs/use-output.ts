/** Follows the workspace's output while the page is looked at. */
import { useEffect, useState } from "react";
import type { OutputEvent } from "#contract/workspaces/monitoring/logs.ts";
import { callApi, callUrl } from "../../lib/api/api-client.ts";
import { paceOf, withEvent, type Output, type OutputPace } from "./log-lines.ts";

export interface FollowedOutput {
  /** Undefined until the first lines, or their absence, are known. */
  output: Output | undefined;
  pace: OutputPace;
  /** Why nothing can be followed, if so. */
  error: unknown;
  again: () => void;
}

/** A flood is drawn four times a second. */
const drawnEveryMs = 250;

/** Opens one stream at a time, and none while the page is hidden: browsers allow six connections to one address. */
export function useOutput(): FollowedOutput {
  const [output, setOutput] = useState<Output>();
  const [pace, setPace] = useState<OutputPace>(null);
  const [error, setError] = useState<unknown>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let waiting: OutputEvent[] = [];
    let stream: EventSource | undefined;
    let isOver = false;
    const draw = (): void => {
      if (waiting.length === 0) return;
      const events = waiting;
      waiting = [];
      setOutput((before) => events.reduce(withEvent, before));
    };
    const timer = setInterval(draw, drawnEveryMs);
    const open = (): void => {
      stream = new EventSource(callUrl("instanceOutput"));
      stream.addEventListener("output", ({ data }: MessageEvent<string>) => {
        const event = JSON.parse(data) as OutputEvent;
        waiting.push(event);
        setPace(paceOf(event));
        setError(null);
        if (event.isWhole) draw();
      });
      stream.addEventListener("error", () => {
        setPace(null);
        // Otherwise the browser opens it again.
        if (stream?.readyState === EventSource.CLOSED) void readOnce();
      });
    };
    /** The stream was refused: the lines themselves, or the reason. */
    const readOnce = async (): Promise<void> => {
      try {
        const read = await callApi("getInstanceLogs");
        if (!isOver) setOutput((before) => withEvent(before, { ...read, isWhole: true, isCut: false, isLive: false }));
      } catch (failure) {
        if (!isOver) setError(failure);
      }
    };
    const follow = (): void => {
      stream?.close();
      stream = undefined;
      setPace(null);
      if (document.visibilityState === "visible") open();
    };
    document.addEventListener("visibilitychange", follow);
    follow();
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", follow);
      stream?.close();
    };
  }, [turn]);
  const again = (): void => {
    setError(null);
    setTurn(turn + 1);
  };
  return { output, pace, error, again };
}
