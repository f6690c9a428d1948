/** What every payment provider's webhooks promise; part of testing/payments/provider-suite/provider-suite.ts. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { SignatureInvalid } from "#payments/payment-provider.ts";
import { dayMs, hourMs, minuteMs } from "#platform/clock.ts";
import { look, subscribe } from "./provider-customer.ts";
import type { ProviderHarness } from "./provider-harness.ts";

type Promised = (harness: ProviderHarness) => Promise<void>;

export const webhookPromises: Record<string, Promised> = {
  "a purchase is reported by signed events that lead to the current state": async (harness) => {
    const truth = await subscribe(harness);
    const sent = await harness.takeWebhooks();
    const events = sent.map(({ headers, body }) => harness.provider.readWebhook(headers, body, harness.now()));
    expect(events.length).toBeGreaterThan(0);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(events.some(({ kind }) => kind === "subscription" || kind === "checkout")).toBe(true);
    expect(events.some(({ kind }) => kind === "payment-succeeded")).toBe(true);
    const told = events.filter(({ subscriptionId }) => subscriptionId !== null);
    expect(new Set(told.map(({ subscriptionId }) => subscriptionId))).toEqual(new Set([truth.id]));
    expect(events.some(({ accountId }) => accountId === truth.accountId)).toBe(true);
    for (const { occurredAt } of events) expect(Math.abs(occurredAt.getTime() - harness.now().getTime())).toBeLessThan(hourMs);
  },
  "a failed renewal is reported": async (harness) => {
    const before = await subscribe(harness, "renewal-soft");
    await harness.takeWebhooks();
    await harness.advance(before.periodEndsAt.getTime() - harness.now().getTime() + 2 * hourMs);
    const events = (await harness.takeWebhooks()).map(({ headers, body }) => harness.provider.readWebhook(headers, body, harness.now()));
    expect(events.some(({ kind, subscriptionId }) => kind === "payment-failed" && subscriptionId === before.id)).toBe(true);
    expect(events.some(({ kind, subscriptionId }) => kind === "subscription" && subscriptionId === before.id)).toBe(true);
  },
  "signatures with the current or the previous secret are accepted": async ({ provider, sign, unknownEvent, now }) => {
    const body = unknownEvent();
    for (const secret of ["current", "previous"] as const)
      expect(provider.readWebhook(sign(body, { at: now(), secret }), body, now()).kind).toBe("other");
  },
  "signatures that are old, from the future or by an unknown secret are refused": async ({ provider, sign, unknownEvent, now }) => {
    const body = unknownEvent();
    const old = sign(body, { at: new Date(now().getTime() - hourMs), secret: "current" });
    const future = sign(body, { at: new Date(now().getTime() + hourMs), secret: "current" });
    const nobodys = sign(body, { at: now(), secret: "unknown" });
    for (const headers of [old, future, nobodys, {}]) expect(() => provider.readWebhook(headers, body, now())).toThrow(SignatureInvalid);
    const fresh = sign(body, { at: new Date(now().getTime() - minuteMs), secret: "current" });
    expect(provider.readWebhook(fresh, body, now()).id).not.toBe("");
  },
  "a changed body is refused": async ({ provider, sign, unknownEvent, now }) => {
    const body = unknownEvent();
    const headers = sign(body, { at: now(), secret: "current" });
    expect(() => provider.readWebhook(headers, Buffer.concat([body, Buffer.from(" ")]), now())).toThrow(SignatureInvalid);
    const broken = Buffer.from("{not json");
    expect(() => provider.readWebhook(sign(broken, { at: now(), secret: "current" }), broken, now())).toThrow(SignatureInvalid);
  },
  "an unrecognised status is unknown, not an error": async (harness) => {
    const truth = await subscribe(harness);
    await harness.setUnknownStatus(truth.id);
    const unknown = await look(harness, truth.id);
    expect(unknown.status).toBe("unknown");
    expect(unknown.providerStatus).not.toBe("");
  },
  "a clock that jumps a year renews each month once": async (harness) => {
    const before = await subscribe(harness);
    await harness.advance(365 * dayMs + hourMs);
    const invoices = await harness.provider.listInvoices(before.customerId);
    expect(invoices).toHaveLength(13);
    expect(invoices.map(({ issuedAt }) => issuedAt.getTime())).toEqual(
      invoices.map(({ issuedAt }) => issuedAt.getTime()).toSorted((one, other) => other - one),
    );
    expect((await harness.provider.cancelNow(before.id, randomUUID())).status).toBe("deleted");
  },
};
