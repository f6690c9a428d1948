/**
 * The state of the registration's challenge. A visitor checks the box and continues; the answer is computed in the background, and again
 * after a refused registration has used it up or it has become too old.
 */
import { useCallback, useEffect, useRef, useState } from "react";
import type { ChallengeOffer, AltchaChallenge } from "#contract/accounts/challenge.ts";
import { callApi } from "../../lib/api/api-client.ts";

type ChallengeState = "loading" | "ready" | "solving" | "solved" | "failed" | "insecure";

export interface ChallengeControl {
  state: ChallengeState;
  kind: ChallengeOffer["kind"] | null;
  siteKey: string | null;
  isChecked: boolean;
  /** Checks or unchecks the box; checking starts to solve. */
  check: (isChecked: boolean) => void;
  /** Turnstile's token, from Cloudflare's widget. */
  takeToken: (token: string | null) => void;
  /** It could not be loaded; `retry` loads it again. */
  fail: (cause: unknown) => void;
  retry: () => void;
  /** Resolves to the answer; rejects if none can be found. */
  answer: () => Promise<string>;
  /** After a refused registration, which used up the answer: finds another, or asks for the box again. */
  renew: (how: { uncheck: boolean }) => void;
  /** Counts the answers requested, for widgets that must restart. */
  round: number;
}

/** How long a challenge may take to load. */
const loadTimeoutMs = 15_000;
/** The service forgets a challenge after ten minutes; a new answer is computed before that. */
const freshForMs = 9 * 60_000;

const fetchOffer = () => callApi("getChallenge", { signal: AbortSignal.timeout(loadTimeoutMs) });

/** Loads the challenge immediately. */
export function useChallenge(): ChallengeControl {
  const [offer, setOffer] = useState<ChallengeOffer | null>(null);
  const [state, setState] = useState<ChallengeState>("loading");
  const [isChecked, setIsChecked] = useState(false);
  const [round, setRound] = useState(0);
  const answer = useRef<Promise<string> | null>(null);
  const solving = useRef<AbortController | null>(null);
  /** Already used: the next use needs a new one. */
  const isOfferUsed = useRef(false);

  const fail = useCallback((cause: unknown) => {
    console.warn("The challenge could not be loaded or solved.", cause);
    setState("failed");
    setIsChecked(false);
  }, []);

  const take = useCallback((fetched: ChallengeOffer) => {
    isOfferUsed.current = false;
    setOffer(fetched);
    setState(fetched.kind !== "altcha" || window.isSecureContext ? "ready" : "insecure");
  }, []);
  useEffect(() => {
    fetchOffer().then(take, fail);
  }, [take, fail]);
  useEffect(() => () => solving.current?.abort(), []);

  const solve = useCallback(async () => {
    solving.current?.abort();
    const controller = (solving.current = new AbortController());
    setState("solving");
    const found = (async () => {
      const known = isOfferUsed.current || !offer ? await fetchOffer() : offer;
      isOfferUsed.current = true;
      if (known.kind !== "altcha") throw new Error("the service changed its challenge; load the page again");
      return solveAltcha(known.challenge, controller.signal);
    })();
    answer.current = found;
    try {
      await found;
      if (!controller.signal.aborted) setState("solved");
    } catch (cause) {
      if (!controller.signal.aborted) fail(cause);
    }
  }, [offer, fail]);

  const check = (next: boolean) => {
    setIsChecked(next);
    if (next) return void solve();
    solving.current?.abort();
    answer.current = null;
    setState("ready");
  };
  useEffect(() => {
    if (state !== "solved" || offer?.kind !== "altcha") return;
    const timer = setTimeout(() => void solve(), freshForMs);
    return () => clearTimeout(timer);
  }, [state, offer, solve]);

  return {
    state,
    kind: offer?.kind ?? null,
    siteKey: offer?.kind === "turnstile" ? offer.siteKey : null,
    isChecked: isChecked || offer?.kind === "off",
    check,
    takeToken: (token) => {
      setIsChecked(token !== null);
      setState(token ? "solved" : "ready");
      if (token) answer.current = Promise.resolve(token);
    },
    fail,
    retry: () => {
      setState("loading");
      fetchOffer().then(take, fail);
    },
    answer: () => (offer?.kind === "off" ? Promise.resolve("off") : (answer.current ?? Promise.reject(new Error("not checked")))),
    renew: ({ uncheck }) => {
      setRound((last) => last + 1);
      if (uncheck) check(false);
      else if (isChecked && offer?.kind === "altcha") void solve();
    },
    round,
  };
}

/** The answer to a challenge, found in a worker, which ends with it or with the signal. */
function solveAltcha(challenge: AltchaChallenge, signal: AbortSignal): Promise<string> {
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
