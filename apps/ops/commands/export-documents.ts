import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { drawInvoice } from "#domain/invoices/document/draw-invoice.ts";
import type { InvoiceDocument } from "#domain/invoices/document/invoice-document.ts";
import { decimal, documentLine, headLine, kindOf, type DocumentSums } from "#domain/invoices/export/document-rows.ts";
import { countUnnumbered, monthOf, readDocuments, readRevenue } from "#domain/invoices/export/month-store.ts";
import { readStanding } from "#domain/invoices/read-standing.ts";
import { CommandRefused, type Command } from "../command.ts";

/** Customers' names and addresses: for this operator alone. */
const modes = { folder: 0o700, file: 0o600 };

/** Writes a month's invoices, credit notes and debit notes for an accountant. */
export const exportDocuments: Command = {
  name: "export-documents",
  options: {
    month: { type: "string", summary: "the month in UTC, such as 2026-11" },
    to: { type: "string", summary: "a new folder to write to; documents-<month> if omitted" },
  },
  summary: "Write a month's invoices and credit notes for an accountant: a table (CSV), and the PDFs with their data",
  async run({ db, clock, print }, { options }) {
    const name = String(options["month"] ?? "");
    const month = monthOf(name);
    if (!month) throw new CommandRefused("Specify the month, such as --month 2026-11.");
    if (month.from > clock.now()) throw new CommandRefused(`${name} has not begun.`);
    const folder = resolve(String(options["to"] ?? `documents-${name}`));
    await mkdir(folder, { recursive: true, mode: modes.folder });
    if ((await readdir(folder)).length > 0) throw new CommandRefused(`${folder} is not empty. Choose another folder with --to.`);
    const sums = new Map<string, DocumentSums>();
    // Under its name only once it is whole.
    const table = join(folder, `documents-${name}.csv`);
    const writing = await open(`${table}.part`, "wx", modes.file);
    try {
      await writing.write(headLine());
      for await (const row of readDocuments(db, month)) {
        const document = row.document as InvoiceDocument | null;
        const file = document ? `${document.number}.pdf` : "";
        if (document) {
          const pdf = drawInvoice(document, await readStanding(db, row));
          await pipeline(pdf, createWriteStream(join(folder, file), { flags: "wx", mode: modes.file }));
        }
        await writing.write(documentLine(row, file));
        add(sums, `${row.currency} ${kindOf(row)}`, row);
        add(sums, `${row.currency} total`, row);
      }
    } finally {
      await writing.close();
    }
    await rename(`${table}.part`, table);
    print(`Written to ${folder}.`);
    for (const [key, { count, net, tax, total }] of [...sums].toSorted()) {
      const [currency = "", kind = ""] = key.split(" ");
      const [a, b, c] = [net, tax, total].map((amount) => decimal(amount, currency));
      print(`${currency}  ${kind}: ${count} ${count === 1 ? "document" : "documents"}, net ${a}, tax ${b}, total ${c}`);
    }
    if (sums.size === 0) print(`No documents in ${name}.`);
    const waiting = await countUnnumbered(db, month);
    if (waiting > 0)
      print(`${waiting} more ${waiting === 1 ? "invoice has" : "invoices have"} no number yet, such as while an exchange rate is missing.`);
    if (month.to > clock.now()) print(`${name} is not over yet: more documents may follow.`);
  },
};

function add(sums: Map<string, DocumentSums>, key: string, { total, tax }: { total: number; tax: number }): void {
  const sum = sums.get(key) ?? { count: 0, net: 0, tax: 0, total: 0 };
  sums.set(key, { count: sum.count + 1, net: sum.net + total - tax, tax: sum.tax + tax, total: sum.total + total });
}

/** Shows what was invoiced, less what was credited, month by month. */
export const revenue: Command = {
  name: "revenue",
  options: { months: { type: "string", summary: "how many months, this one included; 12 if omitted" } },
  summary: "Show revenue by month and currency: invoices less credit notes",
  async run({ db, clock, print }, { options }) {
    const months = Number(options["months"] ?? 12);
    if (!Number.isInteger(months) || months < 1 || months > 120) throw new CommandRefused("The number of months must be from 1 to 120.");
    const now = clock.now();
    const rows = await readRevenue(db, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + 1, 1)));
    if (rows.length === 0) return print("No invoices.");
    for (const { month, currency, documents, net, tax, total } of rows) {
      const [a, b, c] = [net, tax, total].map((amount) => decimal(amount, currency));
      print(`${month}  ${currency}  net ${a}, tax ${b}, total ${c} (${documents} ${documents === 1 ? "document" : "documents"})`);
    }
  },
};
