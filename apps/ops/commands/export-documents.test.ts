import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { pdfText } from "#testing/content/pdf-text.ts";
import { createTestShop, germanDetails, startSubscriber, type Customer, type TestShop } from "#testing/payments/test-shop.ts";
import type { OpsContext } from "../command.ts";
import { exportDocuments, revenue } from "./export-documents.ts";

let shop: TestShop;
let customers: Customer[];
beforeAll(async () => {
  shop = await createTestShop();
  customers = [];
  for (const planId of ["pro-1-monthly", "starter-monthly", "pro-1-yearly"]) customers.push(await startSubscriber(shop, planId));
  const { rows } = await shop.api.database.pool.query(
    "select provider_customer_id as id from subscriptions s join accounts a on a.id = s.account_id where a.name = $1",
    [customers[1]!.form["accountName"]],
  );
  await shop.harness.refundNewest((rows[0] as { id: string }).id);
  await shop.catchUp();
});
afterAll(() => shop[Symbol.asyncDispose]());

async function run(command: typeof revenue, options: Record<string, string> = {}): Promise<string[]> {
  const printed: string[] = [];
  const context = { db: shop.api.services.db, clock: shop.api.clock, print: (line: string) => void printed.push(line) };
  await command.run(context as unknown as OpsContext, { arguments: [], options });
  return printed;
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "documents-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}
const thisMonth = () => shop.api.clock.now().toISOString().slice(0, 7);
const cents = (text: string): number => Math.round(Number(text.replace(",", ".")) * 100);
/** By column. */
async function readTable(path: string): Promise<Record<string, string>[]> {
  const [head, ...rows] = (await readFile(path, "utf8"))
    .replace("\uFEFF", "")
    .trimEnd()
    .split("\r\n")
    .map((line) => line.slice(1, -1).split('";"'));
  return rows.map((row) => Object.fromEntries(head!.map((name, index) => [name, row[index]!])));
}
const sum = (rows: Record<string, string>[], of: (row: Record<string, string>) => number) =>
  rows.reduce((total, row) => total + of(row), 0);

test("a month's table lists each document once with its PDF, and its sums are those of the documents and of the month's revenue", async () => {
  const folder = await newFolder();
  const month = thisMonth();
  const printed = await run(exportDocuments, { month, to: folder });
  const table = await readTable(join(folder, `documents-${month}.csv`));
  const { rows } = await shop.api.database.pool.query("select document from invoices where document is not null order by number");
  const documents = rows.map(
    ({ document }: { document: { number: string; total: { amount: number }; tax: { amount: { amount: number } } | null } }) => document,
  );
  expect(table.map((row) => row["Belegfeld 1"]).toSorted()).toEqual(documents.map(({ number }) => number));
  expect(table.map((row) => row["Belegart"]).toSorted()).toEqual(["Gutschrift", "Rechnung", "Rechnung", "Rechnung"]);
  const total = documents.reduce((all, document) => all + document.total.amount, 0);
  const tax = documents.reduce((all, document) => all + (document.tax?.amount.amount ?? 0), 0);
  const signed = (row: Record<string, string>) => cents(row["Umsatz"]!) * (row["Soll/Haben-Kennzeichen"] === "H" ? -1 : 1);
  expect(sum(table, signed)).toBe(total);
  expect(sum(table, (row) => cents(row["Steuer"]!))).toBe(tax);
  expect(sum(table, (row) => cents(row["Netto"]!))).toBe(total - tax);
  const amounts = [total - tax, tax, total].map((amount) => (amount / 100).toFixed(2).replace(".", ","));
  expect(printed).toContain(`USD  total: 4 documents, net ${amounts[0]}, tax ${amounts[1]}, total ${amounts[2]}`);
  expect(await run(revenue)).toEqual([`${month}  USD  net ${amounts[0]}, tax ${amounts[1]}, total ${amounts[2]} (4 documents)`]);
  expect(table.find((row) => row["Belegart"] === "Gutschrift")!["Belegfeld 2"]).toMatch(/^\d{4}-\d{6}$/);
  for (const row of table) {
    const pdf = await readFile(join(folder, row["Beleglink"]!));
    expect(pdfText(pdf)).toContain(row["Belegfeld 1"]);
    // Names and addresses of customers.
    expect((await stat(join(folder, row["Beleglink"]!))).mode & 0o077).toBe(0);
  }
  expect(await readdir(folder)).toHaveLength(table.length + 1);
});

test("a name that a spreadsheet would run as a formula is text", async () => {
  const customer = customers[0]!;
  await customer.call("PUT", "/account/billing/details", { body: { ...germanDetails, vatId: "", name: '=1+1 "Ltd"' } });
  await shop.pass(32 * 86_400_000);
  const folder = await newFolder();
  await run(exportDocuments, { month: thisMonth(), to: folder });
  expect(await readFile(join(folder, `documents-${thisMonth()}.csv`), "utf8")).toContain(`"'=1+1 ""Ltd"""`);
});

test.each([
  [{}, "Specify the month"],
  [{ month: "2026-13" }, "Specify the month"],
  [{ month: "2999-01" }, "has not begun"],
])("%j is refused", async (options, words) => {
  await expect(run(exportDocuments, options as Record<string, string>)).rejects.toThrow(words);
});

test("a folder with files is not written to", async () => {
  const folder = await newFolder();
  await run(exportDocuments, { month: thisMonth(), to: folder });
  await expect(run(exportDocuments, { month: thisMonth(), to: folder })).rejects.toThrow("is not empty");
});
