import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadFrontEndConfig } from "../front-end-config.ts";
import { serviceNowMs } from "./use-now.ts";

const dayMs = 86_400_000;

beforeEach(() => vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {}, removeItem: () => {} }));
afterEach(() => vi.unstubAllGlobals());

test.each([2, -3])("a browser whose clock is wrong by %d days uses the service's clock", async (days) => {
  const serviceMs = Date.now() + days * dayMs;
  vi.stubGlobal("fetch", async () => Response.json({ featureFlags: {}, now: new Date(serviceMs).toISOString(), clockAheadMs: 0 }));
  await loadFrontEndConfig();
  expect(Math.abs(serviceNowMs() - serviceMs)).toBeLessThan(5_000);
});
