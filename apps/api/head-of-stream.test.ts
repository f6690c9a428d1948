import { expect, test } from "vitest";
import { routes } from "#contract/routes.ts";
import type { RouteContract } from "#contract/api/route.ts";
import { createTestApi, registerSomebody } from "#testing/test-api.ts";

const streams = Object.entries<RouteContract>(routes).filter(([, { success }]) => success.stream);

test.each(streams)("a HEAD of %s ends at once, as often as it is asked", async (_name, { path }) => {
  await using api = await createTestApi();
  const { token } = await registerSomebody(api);
  // More than a session may have streams.
  for (let asked = 0; asked < 12; asked += 1) {
    const { statusCode, headers, body } = await api.call("HEAD", `/api${path}`, { token });
    expect([statusCode, headers["content-type"], body]).toEqual([200, "text/event-stream; charset=utf-8", ""]);
  }
});

test("there are streams to try", () => expect(streams.length).toBeGreaterThan(0));
