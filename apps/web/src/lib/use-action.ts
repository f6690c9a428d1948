/** Runs one action of the user, and says whether it is running or has failed. */
import { useRef, useState } from "react";

export interface Action<Input> {
  /** Starts it, unless it is already running. Never rejects: a failure is in `error`. */
  run: (input: Input) => Promise<void>;
  pending: boolean;
  error: unknown;
}

/** Wraps an asynchronous action; `perform` may throw, and its last error stays until the next run. */
export function useAction<Input = void>(perform: (input: Input) => Promise<void>): Action<Input> {
  const [state, setState] = useState<{ pending: boolean; error: unknown }>({ pending: false, error: null });
  const isRunning = useRef(false);
  const run = async (input: Input) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setState({ pending: true, error: null });
    try {
      await perform(input);
      setState({ pending: false, error: null });
    } catch (error) {
      setState({ pending: false, error });
    } finally {
      isRunning.current = false;
    }
  };
  return { run, ...state };
}
