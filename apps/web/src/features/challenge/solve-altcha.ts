import type { AltchaChallenge } from "#contract/accounts/challenge.ts";

/** The answer to a challenge, found in a worker, which ends with it or with the signal. */
export function solveAltcha(challenge: AltchaChallenge, signal: AbortSignal): Promise<string> {
  const worker = new Worker(new URL("./altcha.worker.ts", import.meta.url), { type: "module" });
  return new Promise<string>((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("no longer wanted")));
    worker.addEventListener("error", (event) => reject(new Error(event.message || "the worker could not be loaded")));
    worker.addEventListener("message", ({ data }: MessageEvent<{ answer?: string; failure?: string }>) =>
      data.answer ? resolve(data.answer) : reject(new Error(data.failure ?? "no answer")),
    );
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}
