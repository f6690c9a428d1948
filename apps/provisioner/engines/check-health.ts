import { secondMs } from "#platform/clock.ts";
import type { EngineHealth } from "./engine.ts";

/** A live workspace answers within milliseconds; a slower one is asked again. */
const timeoutMs = 3 * secondMs;

/** Asks the process at `address` (host:port) for `path`. Never throws: the detail says what is wrong, under the tool's name. */
export async function checkHealth(displayName: string, path: string, address: string): Promise<EngineHealth> {
  try {
    // A kept connection could belong to a previous process.
    const response = await fetch(`http://${address}${path}`, {
      headers: { connection: "close" },
      signal: AbortSignal.timeout(timeoutMs),
      redirect: "manual",
    });
    await response.body?.cancel();
    return response.status === 200
      ? { ready: true }
      : { ready: false, detail: `${displayName} answers ${response.status}: it is still starting` };
  } catch (error) {
    return { ready: false, detail: explain(displayName, error as Error & { cause?: { code?: string } }) };
  }
}

function explain(displayName: string, { name, message, cause }: Error & { cause?: { code?: string } }): string {
  if (name === "TimeoutError") return `${displayName} did not answer within ${timeoutMs} ms`;
  return cause?.code === "ECONNREFUSED" ? `${displayName} does not listen yet` : `${displayName} can't be asked: ${cause?.code ?? message}`;
}
