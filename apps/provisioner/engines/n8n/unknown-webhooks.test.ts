import { expect, test } from "vitest";
import { answerUnknownOrigins } from "./workspace-side/unknown-webhooks.mts";

const rules = { allowedOrigins: "https://shop.example" };
class NotFound extends Error {
  readonly httpStatusCode = 404;
}

test("an unknown webhook has no rules for other sites, those of a known one are its own, and any other failure stays one", async () => {
  const live = {
    executeWebhook: async () => undefined,
    findAccessControlOptions: async (path: string) => {
      if (path === "known") return rules;
      throw path === "unknown" ? new NotFound("The requested webhook is not registered.") : new Error("the database is busy");
    },
  };
  answerUnknownOrigins(live);
  expect(await live.findAccessControlOptions("known")).toBe(rules);
  expect(await live.findAccessControlOptions("unknown")).toBeUndefined();
  await expect(live.findAccessControlOptions("broken")).rejects.toThrow("the database is busy");
});
