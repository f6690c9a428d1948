import { secondMs } from "#platform/clock.ts";
import { fetchOver } from "#platform/lines/fetch-over.ts";
import type { LineKeys } from "#platform/lines/line-keys.ts";
import { readAddress } from "#platform/lines/open-line.ts";
import type { EngineHealth } from "./engine.ts";

/** A live workspace answers within milliseconds; a slower one is asked again. */
const timeoutMs = 3 * secondMs;

/**
 * Requests `path` from the process at `address`, as observed by a driver. Never throws: the detail says what is wrong, using the tool's
 * name.
 */
export async function checkHealth(displayName: string, path: string, address: string, lineKeys?: LineKeys): Promise<EngineHealth> {
  try {
    const response = await fetchOver(readAddress(address, lineKeys), { path, signal: AbortSignal.timeout(timeoutMs) });
    await response.body?.cancel();
    return response.status === 200
      ? { ready: true }
      : { ready: false, detail: `${displayName} answers ${response.status}: it is still starting` };
  } catch (error) {
    return { ready: false, detail: explain(displayName, error as Error & { cause?: { code?: string } }) };
  }
}

function explain(displayName: string, { name, message, code: own, cause }: Error & { code?: string; cause?: { code?: string } }): string {
  const code = cause?.code ?? own;
  if (name === "TimeoutError") return `${displayName} did not answer within ${timeoutMs} ms`;
  return code === "ECONNREFUSED" ? `${displayName} does not listen yet` : `${displayName} can't be asked: ${code ?? message}`;
}
