/** A visitor shows that they solved the challenge, once. */
import { fieldMessage, type FieldCode } from "#contract/api/field-words.ts";
import { useChallenge } from "#domain/challenges/used-challenge-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { Services } from "../services.ts";

/** Refuses an answer that is wrong, expired or already used, as a problem of the field `challenge`. A valid one is used up. */
export async function passChallenge({ challenge, db, clock }: Services, answer: string, address: string): Promise<void> {
  const solved = await challenge.check(answer, address);
  if (solved === null) return;
  if (typeof solved === "string") throw refusal(solved);
  if (!(await useChallenge(db, solved, clock.now()))) throw refusal("challenge.invalid");
}

const refusal = (code: FieldCode): AppError =>
  new AppError("validation_failed", { errors: [{ path: "challenge", code, message: fieldMessage(code) }] });
