/** Global set-up of the tests that use a real engine: its install begins with the run and goes on beside the unit tests. */
import { prepareEngines } from "./prepare-engines.ts";

export default function beginEngineInstalls(): () => Promise<void> {
  const ended = new AbortController();
  // Why it failed is said by the files that wait for it (testing/engines/wait-for-engines.ts).
  const installs = prepareEngines(ended.signal).catch(() => undefined);
  return async () => {
    ended.abort();
    await installs;
  };
}
