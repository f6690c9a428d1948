/** The events that the fake Stripe sends, each with its unexpanded object as it was then. */
import { render } from "./stripe-expand.ts";
import { checkoutObject, customerObject, invoiceObject, methodObject, subscriptionObject } from "./stripe-objects.ts";
import {
  newStripeId,
  type CheckoutSession,
  type Customer,
  type Invoice,
  type Method,
  type State,
  type Subscription,
} from "../stripe-state.ts";

export function send(state: State, type: string, object: object, at: number, previous?: object): void {
  state.events.push({ id: newStripeId("evt"), type, created: at, object: render(object) as object, ...(previous && { previous }) });
}

export const subscriptionEvent = (state: State, type: string, row: Subscription, at: number): void =>
  send(state, type, subscriptionObject(state, row), at);
export const invoiceEvent = (state: State, type: string, row: Invoice, at: number): void =>
  send(state, type, invoiceObject(state, row), at);
export const customerEvent = (state: State, row: Customer, at: number): void =>
  send(state, "customer.updated", customerObject(state, row), at);
export const checkoutEvent = (state: State, type: string, row: CheckoutSession, at: number): void =>
  send(state, type, checkoutObject(row), at);
export const methodEvent = (state: State, type: string, row: Method, at: number, previous?: object): void =>
  send(state, type, methodObject(row), at, previous);
