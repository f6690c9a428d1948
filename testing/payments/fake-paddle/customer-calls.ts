/** The catalogue and customer calls; each line is one Paddle endpoint. */
import { desc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { insertCustomer, sandboxId, updateCustomer, type CustomerRow } from "#payments/sandbox/sandbox-rows.ts";
import { plans, sandboxCustomers } from "#database/tables.ts";
import type { CataloguePlan } from "#domain/plans/catalogue.ts";
import type { ICustomerResponse } from "@paddle/paddle-node-sdk";
import { PaddleFault } from "./paddle-fault.ts";
import { customerObject, methodObject, priceObject } from "./paddle-objects.ts";
import { call, customerOf, type Call, type FakeWorld } from "./paddle-world.ts";

const nothing = z.undefined();
const custom = z.record(z.string(), z.unknown()).nullable();
const place = z.strictObject({
  first_line: z.string().nullable(),
  second_line: z.string().nullable(),
  postal_code: z.string().nullable(),
  city: z.string().nullable(),
  country_code: z.string().regex(/^[A-Z]{2}$/),
});
const business = z.strictObject({ name: z.string().min(1), tax_identifier: z.string().min(1).nullable() });
const lists = ["after", "id", "order_by", "per_page", "status"];

export const customerCalls: readonly Call[] = [
  call("GET", "prices", nothing, (world) => sellableIn(world), {
    query: [...lists, "include", "product_id", "recurring", "type"],
  }),
  call(
    "GET",
    "customers",
    nothing,
    async (world, _ids, _body, query) => {
      const found = query.has("email")
        ? await byEmail(world, query.get("email")!)
        : ((await world.harness.db.select().from(sandboxCustomers).orderBy(desc(sandboxCustomers.id))) as CustomerRow[]);
      const statuses = query.get("status")?.split(",") ?? ["active"];
      return found.map((row) => shown(world, row)).filter(({ status }) => statuses.includes(status));
    },
    { query: [...lists, "email", "search"] },
  ),
  call(
    "POST",
    "customers",
    z.strictObject({
      email: z.email(),
      name: z.string().nullable().optional(),
      custom_data: custom.optional(),
      locale: z.string().optional(),
    }),
    async (world, _ids, { email, name, custom_data: data }) => {
      await refuseSecond(world, email, null);
      const row = await insertCustomer(world.harness.db, {
        id: sandboxId("ctm"),
        accountId: accountIn(data) ?? "",
        email,
        name: name ?? "",
        currency: "USD",
        details: null,
        card: null,
        credit: 0,
        createdAt: world.harness.now(),
      });
      return customerObject(row);
    },
  ),
  call("GET", "customers/:id", nothing, async (world, [id]) => shown(world, await customerOf(world, id!))),
  call(
    "PATCH",
    "customers/:id",
    z.strictObject({
      email: z.email().optional(),
      name: z.string().nullable().optional(),
      status: z.enum(["active", "archived"]).optional(),
      custom_data: custom.optional(),
      locale: z.string().optional(),
    }),
    async (world, [id], { email, name, status, custom_data: data }) => {
      await customerOf(world, id!);
      if (email !== undefined) await refuseSecond(world, email, id!);
      if (status === "active") world.archived.delete(id!);
      if (status === "archived") world.archived.add(id!);
      if (data !== undefined) {
        const { accountId: _account, ...more } = data ?? {};
        world.customData.set(id!, more);
      }
      const accountId = accountIn(data);
      const changes = {
        ...(email !== undefined && { email }),
        ...(name !== undefined && { name: name ?? "" }),
        ...(accountId !== undefined && { accountId }),
      };
      return shown(
        world,
        Object.keys(changes).length > 0 ? await updateCustomer(world.harness.db, id!, changes) : await customerOf(world, id!),
      );
    },
  ),
  call(
    "GET",
    "customers/:id/credit-balances",
    nothing,
    async (world, [id]) => {
      const { credit, currency } = await customerOf(world, id!);
      // Paddle lists every balance that has ever existed.
      return credit === 0
        ? []
        : [{ customer_id: id, currency_code: currency, balance: { available: String(credit), reserved: "0", used: "0" } }];
    },
    { query: ["currency_code"] },
  ),
  call(
    "GET",
    "customers/:id/payment-methods",
    nothing,
    async (world, [id]) => {
      const { card } = await customerOf(world, id!);
      return card ? [methodObject(id!, card, world.harness.now())] : [];
    },
    { query: ["address_id", "after", "order_by", "per_page", "supports_checkout"] },
  ),
  call("GET", "customers/:id/addresses", nothing, (world, [id]) => keptIn(world, `${id}/addresses`), { query: [...lists, "search"] }),
  call("POST", "customers/:id/addresses", place, (world, [id], body) => keep(world, `${id}/addresses`, sandboxId("add"), body)),
  call("PATCH", "customers/:id/addresses/:id", place, (world, [id, addressId], body) => keep(world, `${id}/addresses`, addressId!, body)),
  call("GET", "customers/:id/businesses", nothing, (world, [id]) => keptIn(world, `${id}/businesses`), { query: [...lists, "search"] }),
  call("POST", "customers/:id/businesses", business, (world, [id], body) => keep(world, `${id}/businesses`, sandboxId("biz"), body)),
  call("PATCH", "customers/:id/businesses/:id", business, (world, [id, businessId], body) =>
    keep(world, `${id}/businesses`, businessId!, body),
  ),
];

/** A price for each plan, unit and currency of the catalogue, as the runbook tells operators to enter them. */
/** Those that staff archived are left out: it is asked for active ones. */
async function sellableIn({ harness, archivedPrices }: FakeWorld): Promise<object[]> {
  const all = await harness.db.select().from(plans);
  return all.flatMap(({ id, recurringPrice, customQuotas }) => {
    const { monthlyExecutions, activeWorkflows } = (customQuotas ?? {}) as Partial<NonNullable<CataloguePlan["customQuotas"]>>;
    const sold = [
      [id, recurringPrice] as const,
      ...(monthlyExecutions && activeWorkflows
        ? [[`${id}-executions`, monthlyExecutions.price] as const, [`${id}-workflows`, activeWorkflows.price] as const]
        : []),
    ];
    return sold.flatMap(([key, prices]) =>
      archivedPrices.has(key)
        ? []
        : Object.entries(prices).map(([currency, amount]) => priceObject(key, { amount: Number(amount), currency })),
    );
  });
}

/** Custom data are one value: what is sent replaces it. */
export function shown({ archived, customData }: FakeWorld, row: CustomerRow): ICustomerResponse {
  const object = customerObject(row);
  const more = customData.get(row.id);
  return {
    ...object,
    status: archived.has(row.id) ? "archived" : "active",
    custom_data: more || object.custom_data ? { ...object.custom_data, ...more } : null,
  };
}

/** Compares addresses without regard to case. */
async function byEmail({ harness }: FakeWorld, email: string): Promise<CustomerRow[]> {
  return (await harness.db
    .select()
    .from(sandboxCustomers)
    .where(eq(sql`lower(${sandboxCustomers.email})`, email.toLowerCase()))) as CustomerRow[];
}

/** One customer per address: developer.paddle.com/errors/customers/customer_already_exists, read 2026-11-22. */
async function refuseSecond(world: FakeWorld, email: string, but: string | null): Promise<void> {
  const other = (await byEmail(world, email)).find(({ id }) => id !== but);
  if (other) throw new PaddleFault(409, "customer_already_exists", `customer email conflicts with customer of id ${other.id}`);
}

const accountIn = (data: Record<string, unknown> | null | undefined): string | undefined =>
  typeof data?.["accountId"] === "string" ? data["accountId"] : undefined;

const keptIn = (world: FakeWorld, path: string): Promise<object[]> => Promise.resolve(world.kept.get(path) ?? []);

function keep(world: FakeWorld, path: string, id: string, body: object): Promise<object> {
  const at = world.harness.now().toISOString();
  const one = {
    description: null,
    region: null,
    company_number: null,
    contacts: null,
    ...body,
    id,
    customer_id: path.split("/")[0],
    status: "active",
    custom_data: null,
    created_at: at,
    updated_at: at,
    import_meta: null,
  };
  world.kept.set(path, [...(world.kept.get(path) ?? []).filter((each) => each.id !== id), one]);
  return Promise.resolve(one);
}
