/** Global set-up for tests with a real engine: its installation begins with the run and continues during the unit tests. */
import { engineNames } from "#contract/workspaces/engine-names.ts";
import { installReleases, prepareEngines } from "./prepare-engines.ts";

export default function beginEngineInstalls(): () => Promise<void> {
  const ended = new AbortController();
  // The files that wait for it report a failure (testing/engines/wait-for-engines.ts, and the stories, which also need older releases).
  const installs = installAll(ended.signal).catch(() => undefined);
  return async () => {
    ended.abort();
    await installs;
  };
}

async function installAll(signal: AbortSignal): Promise<void> {
  await prepareEngines(signal);
  for (const name of engineNames) await installReleases(name, signal);
}
