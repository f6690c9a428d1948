import { expect, test } from "vitest";
import { problems, type ProblemCode } from "#contract/api/problem.ts";
import { ApiError } from "../api/api-error.ts";
import { errorWords } from "./error-words.ts";
import { requestNumber, signInErrors, signInErrorWords, type EnglishErrorWords } from "./sign-in-errors.ts";
import { furtherErrors } from "./words.ts";

const codes = Object.keys(problems) as ProblemCode[];
const refused = (code: ProblemCode) => new ApiError(code, problems[code].status, { title: problems[code].title });

test.each([...codes.map(refused), ...(["unreachable", "timed_out", "unreadable"] as const).map((code) => new ApiError(code, 0))])(
  "$code has a sentence and a next step",
  (error) => {
    const words = errorWords(error);
    expect(words.sentence).toMatch(/^[A-Z].{5,}$/);
    expect(words.next).toMatch(/^[A-Z].{5,}$/);
    expect(`${words.sentence} ${words.next}`).not.toContain("errors.");
  },
);

test.each([
  ["invalid_credentials", "You entered an invalid sign in combination. Try again."],
  ["session_expired", "Session expired"],
  ["link_expired", "The confirmation link has expired."],
  ["not_found", "This page could not be found"],
] as const)("%s reads as promised", (code, sentence) => expect(errorWords(refused(code)).sentence).toBe(sentence));

test("a sentence that equals the API's title is left out, unless the panel throws the error itself", () => {
  const words: Record<string, EnglishErrorWords> = { ...signInErrors, ...furtherErrors };
  expect(codes.filter((code) => words[code]?.sentence === problems[code].title)).toEqual([
    "subscription_required",
    "download_link_invalid",
  ]);
});

test("a refusal with a waiting time says how long", () => {
  expect(errorWords(new ApiError("too_many_requests", 429, { retryAfterSeconds: 42 })).next).toBe("Try again in 42 seconds.");
  expect(errorWords(new ApiError("too_many_sign_ins", 429, { retryAfterSeconds: 86_400 })).next).toBe("Try again in 24 hours.");
});

test("an answer that is not from the API is shown as a fault of the service", () => {
  expect(errorWords(new TypeError("x is undefined"))).toEqual(errorWords(refused("internal_error")));
});

test("only faults of the service show a request number", () => {
  expect(requestNumber(new ApiError("internal_error", 500, { requestId: "req-1" }))).toBe("Request number req-1");
  expect(requestNumber(new ApiError("invalid_credentials", 401, { requestId: "req-1" }))).toBeNull();
  expect(requestNumber(new Error("no answer"))).toBeNull();
});

test("with only the sign-in page's words loaded, other refusals show the API's text", () => {
  const exists = { sentence: problems.workspace_exists.title, next: "Reload the page and try again." };
  expect(signInErrorWords(refused("workspace_exists"))).toEqual(exists);
  expect(signInErrorWords(new ApiError("signed_out", 401))).toEqual(errorWords(refused("signed_out")));
});
