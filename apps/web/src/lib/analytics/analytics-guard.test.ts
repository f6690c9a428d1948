import { createMemoryRouter, redirect } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { analytics } from "./analytics.ts";
import { analyticsGuard } from "./analytics-guard.ts";

const arrived: string[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  arrived.length = 0;
  analytics.connect([{ pageDelayMs: 500, identify: () => undefined, track: () => undefined, page: (path) => void arrived.push(path) }]);
});
afterEach(() => void vi.useRealTimers());

const routes = [
  {
    middleware: [analyticsGuard],
    children: [
      { path: "/", loader: () => redirect("/dashboard") },
      { path: "/dashboard" },
      {
        path: "/old",
        middleware: [
          () => {
            throw redirect("/new");
          },
        ],
      },
      { path: "/new" },
      { path: "/confirm-email" },
    ],
  },
];

test("only pages that were opened are recorded, by path; not those a guard redirected from", async () => {
  const router = createMemoryRouter(routes);
  await vi.advanceTimersByTimeAsync(1000);
  expect(arrived).toEqual(["/dashboard"]);
  await router.navigate("/old");
  await router.navigate("/confirm-email?token=a-secret#more");
  await vi.advanceTimersByTimeAsync(1000);
  expect(arrived).toEqual(["/dashboard", "/new", "/confirm-email"]);
  router.dispose();
});
