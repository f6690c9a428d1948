/** Follows the workspace's output while the page is visible. */
import { useEffect, useState } from "react";
import type { OutputEvent } from "#contract/workspaces/monitoring/logs.ts";
import { callApi, openEvents } from "../../lib/api/api-client.ts";
import { paceOf, withEvent, type Output, type OutputPace } from "./log-lines.ts";

interface FollowedOutput {
  /** Undefined until the first lines, or their absence, are known. */
  output: Output | undefined;
  pace: OutputPace;
  /** Why nothing can be followed, in that case. */
  error: unknown;
  again: () => void;
}

/** A flood of lines is drawn four times a second. */
const drawnEveryMs = 250;

/**
 * A proxy may hold back a stream without an error. After this silence the lines are read without it, as often as from a host without
 * streams.
 */
const silentMs = 6_000;
const readEveryMs = 15_000;

/** Opens one stream at a time, and none while the page is hidden: browsers allow six connections to one address. */
export function useOutput(): FollowedOutput {
  const [output, setOutput] = useState<Output>();
  const [pace, setPace] = useState<OutputPace>(null);
  const [error, setError] = useState<unknown>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let waiting: OutputEvent[] = [];
    let stream: EventSource | undefined;
    let silence: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const draw = (): void => {
      if (waiting.length === 0) return;
      const events = waiting;
      waiting = [];
      setOutput((before) => events.reduce(withEvent, before));
    };
    const timer = setInterval(draw, drawnEveryMs);
    const readAfter = (ms: number): void => {
      clearTimeout(silence);
      silence = setTimeout(() => void read(), ms);
    };
    const take = (event: OutputEvent): void => {
      waiting.push(event);
      setPace(paceOf(event));
      setError(null);
      if (event.isWhole) draw();
    };
    const open = (): void => {
      stream = openEvents("instanceOutput");
      stream.addEventListener("output", ({ data }: MessageEvent<string>) => {
        clearTimeout(silence);
        take(JSON.parse(data) as OutputEvent);
      });
      stream.addEventListener("error", () => {
        setPace(null);
        // Unless it was refused, the browser opens it again.
        readAfter(stream?.readyState === EventSource.CLOSED ? 0 : silentMs);
      });
      readAfter(silentMs);
    };
    /** Without the stream: the lines themselves, or why there are none. */
    const read = async (): Promise<void> => {
      const asked = stream;
      try {
        const answer = await callApi("getInstanceLogs");
        if (isOver || asked !== stream) return;
        take({ ...answer, isWhole: true, isCut: false, isLive: false });
      } catch (failure) {
        if (isOver || asked !== stream) return;
        setPace(null);
        setError(failure);
      }
      readAfter(readEveryMs);
    };
    const follow = (): void => {
      stream?.close();
      stream = undefined;
      clearTimeout(silence);
      setPace(null);
      if (document.visibilityState === "visible") open();
    };
    document.addEventListener("visibilitychange", follow);
    follow();
    return () => {
      isOver = true;
      clearInterval(timer);
      clearTimeout(silence);
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
