import { expect, test } from "vitest";
import { problems, type ProblemCode } from "#contract/api/problem.ts";
import { ApiError } from "../api/api-error.ts";
import { errorWords, wordsForCode } from "./error-words.ts";
import { requestNumber, signInErrorWords } from "./sign-in-errors.ts";

const codes = Object.keys(problems) as ProblemCode[];

test.each([...codes, "unreachable", "timed_out", "unreadable"] as const)("%s has a sentence and a next step", (code) => {
  const words = wordsForCode(code);
  expect(words.sentence).toMatch(/^[A-Z].{5,}$/);
  expect(words.next).toMatch(/^[A-Z].{5,}$/);
  expect(`${words.sentence} ${words.next}`).not.toContain("errors.");
});

test.each([
  ["invalid_credentials", "You entered an invalid sign in combination. Try again."],
  ["session_expired", "Session expired"],
  ["link_expired", "The confirmation link has expired."],
  ["not_found", "This page could not be found"],
] as const)("%s reads as promised", (code, sentence) => expect(wordsForCode(code).sentence).toBe(sentence));

test("a refusal with a waiting time says how long", () => {
  expect(errorWords(new ApiError("too_many_requests", 429, { retryAfterSeconds: 42 })).next).toBe("Try again in 42 seconds.");
  expect(errorWords(new ApiError("too_many_requests", 429, { retryAfterSeconds: 1 })).next).toBe("Try again in 1 second.");
});

test("an answer that is not from the API is shown as a fault of the service", () => {
  expect(errorWords(new TypeError("x is undefined"))).toEqual(wordsForCode("internal_error"));
});

test("only faults of the service show a request number", () => {
  expect(requestNumber(new ApiError("internal_error", 500, { requestId: "req-1" }))).toBe("Request number req-1");
  expect(requestNumber(new ApiError("invalid_credentials", 401, { requestId: "req-1" }))).toBeNull();
  expect(requestNumber(new Error("no answer"))).toBeNull();
});

test("with only the sign-in page's words loaded, other refusals show the API's text", () => {
  const refused = new ApiError("workspace_exists", 409, { title: problems.workspace_exists.title });
  expect(signInErrorWords(refused)).toEqual({ sentence: problems.workspace_exists.title, next: "Reload the page and try again." });
  expect(signInErrorWords(new ApiError("signed_out", 401))).toEqual(wordsForCode("signed_out"));
});
