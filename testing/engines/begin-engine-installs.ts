/** Global set-up for tests with a real engine: its installation begins with the run and continues during the unit tests. */
import { prepareEngines } from "./prepare-engines.ts";

export default function beginEngineInstalls(): () => Promise<void> {
  const ended = new AbortController();
  // The files that wait for it report a failure (testing/engines/wait-for-engines.ts).
  const installs = prepareEngines(ended.signal).catch(() => undefined);
  return async () => {
    ended.abort();
    await installs;
  };
}
