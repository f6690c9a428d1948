/** Solves ALTCHA's challenge outside the page, which stays responsive. */
import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import type { AltchaChallenge } from "#contract/accounts/challenge.ts";

self.addEventListener("message", (event: MessageEvent<AltchaChallenge>) => {
  const challenge = event.data;
  solveChallenge({ challenge, deriveKey }).then(
    (solution) =>
      self.postMessage(solution ? { answer: btoa(JSON.stringify({ challenge, solution })) } : { failure: "not solved in time" }),
    (error: unknown) => self.postMessage({ failure: String(error) }),
  );
});
