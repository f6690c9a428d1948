/** The panel's billing data. Everything below `billing` is reloaded once a payment or a change went through. */
import { queryOptions } from "@tanstack/react-query";
import type { RouteAnswer } from "#contract/api/route.ts";
import type { User } from "#contract/accounts/account.ts";
import { callApi } from "../../lib/api/api-client.ts";
import type { Routes } from "../../lib/api/calls.ts";
import { queryClient } from "../../lib/api/query-client.ts";
import { updateUser } from "../../lib/session/session.ts";
import { usageQuery } from "../usage/usage-query.ts";
import { watchAgain } from "../workspace/online-notice.ts";
import { workspaceQuery } from "../workspace/workspace-queries.ts";
import { planMetaQuery } from "./upgrade/plan-meta.ts";

export type Payment = RouteAnswer<Routes["getPayments"]>["payments"][number];
export type Transaction = RouteAnswer<Routes["getTransactions"]>["transactions"][number];
export type PaymentInformation = NonNullable<RouteAnswer<Routes["getPaymentInformation"]>["paymentInformation"]>;
export type NextPayment = NonNullable<RouteAnswer<Routes["getNextPayment"]>["nextPayment"]>;

const billingKey = "billing";

export const subscriptionQuery = queryOptions({
  queryKey: [billingKey, "subscription"],
  queryFn: async ({ signal }) => (await callApi("getSubscription", { signal })).subscription,
});

export const paymentsQuery = queryOptions({
  queryKey: [billingKey, "payments"],
  queryFn: async ({ signal }) => (await callApi("getPayments", { signal })).payments,
});

export const transactionsQuery = queryOptions({
  queryKey: [billingKey, "transactions"],
  queryFn: async ({ signal }) => (await callApi("getTransactions", { signal })).transactions,
});

export const invoiceQuery = (id: string) =>
  queryOptions({
    queryKey: [billingKey, "invoice", id],
    queryFn: async ({ signal }) => (await callApi("getTransaction", { params: { id }, signal })).invoice,
  });

export const paymentInformationQuery = queryOptions({
  queryKey: [billingKey, "payment-information"],
  queryFn: async ({ signal }) => (await callApi("getPaymentInformation", { signal })).paymentInformation,
});

export const nextPaymentQuery = queryOptions({
  queryKey: [billingKey, "next-payment"],
  queryFn: async ({ signal }) => (await callApi("getNextPayment", { signal })).nextPayment,
});

export const detailsQuery = queryOptions({
  queryKey: [billingKey, "details"],
  queryFn: ({ signal }) => callApi("getBillingDetails", { signal }),
});

/** Stores the user from an answer, and reloads everything that a payment or a change may have affected. */
export function acceptUser(user: User): void {
  updateUser(user);
  void queryClient.invalidateQueries({ queryKey: [billingKey] });
  void queryClient.invalidateQueries({ queryKey: workspaceQuery.queryKey });
  watchAgain();
  void queryClient.invalidateQueries({ queryKey: planMetaQuery.queryKey });
  void queryClient.invalidateQueries({ queryKey: usageQuery.queryKey });
}
