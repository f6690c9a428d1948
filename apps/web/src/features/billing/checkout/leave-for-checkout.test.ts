import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { analytics } from "../../../lib/analytics/analytics.ts";
import { leaveForCheckout, tellPaymentComplete } from "./leave-for-checkout.ts";

const told: [string, object][] = [];
const went: string[] = [];
let url: string;

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  vi.stubGlobal("location", { href: "http://localhost:3000/account/change-plan", assign: (target: string) => went.push(target) });
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ url }), { status: 200 }));
  analytics.connect([{ pageDelayMs: 0, identify: () => {}, page: () => {}, track: (name, fields) => told.push([name, fields]) }]);
});
afterEach(() => {
  vi.unstubAllGlobals();
  analytics.connect([]);
  told.length = 0;
  went.length = 0;
});

const leave = () => leaveForCheckout({ planId: "starter-monthly", currency: "USD", quotas: null, key: "one" });

test("leaving for a checkout and the payment's arrival are each recorded once", async () => {
  url = "http://localhost:3000/sandbox/checkout/1";
  await leave();
  expect(went).toEqual([url]);
  tellPaymentComplete();
  tellPaymentComplete();
  expect(told).toEqual([
    ["Checkout loaded", { plan_id: "starter-monthly" }],
    ["payment complete", { plan_id: "starter-monthly" }],
  ]);
});

test("an answer that is not a URL is not followed, and no checkout is recorded", async () => {
  url = "javascript:alert(1)";
  await expect(leave()).rejects.toThrow("an answer led to");
  tellPaymentComplete();
  expect([went, told]).toEqual([[], []]);
});

test("without leaving to pay, no payment is recorded", () => {
  tellPaymentComplete();
  expect(told).toEqual([]);
});
