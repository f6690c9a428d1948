/** What a person does in the editor of a workspace with the stand-in engine. */
import { expect } from "vitest";
import { ask } from "../ask.ts";
import type { Customer } from "./slipway-customer.ts";
import type { Slipway } from "./start-slipway.ts";

/** The names of its workflows; null while it does not answer. `query`, such as "?add=Invoices", changes them first. */
export async function standInWorkflows(slipway: Slipway, { accountName }: Customer, query = ""): Promise<string[] | null> {
  const answer = await ask(`http://127.0.0.1:${slipway.port}/workflows${query}`, {
    headers: { host: new URL(slipway.workspaceUrl(accountName)).host },
  });
  return answer.status === 200 ? answer.json<{ workflows: string[] }>().workflows : null;
}

/** Adds the first workflow. */
export async function addInvoices(slipway: Slipway, owner: Customer): Promise<void> {
  expect(await standInWorkflows(slipway, owner, "?add=Invoices")).toEqual(["Invoices"]);
}
