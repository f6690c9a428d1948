/** The seller named on invoices. */
import { z } from "zod";
import { asCountry, isCountry } from "#contract/billing/countries.ts";
import { hasUnseen } from "#contract/api/printable-text.ts";
import { providers } from "#payments/providers.ts";
import type { Seller } from "#domain/invoices/document/invoice-document.ts";
import { optional, withDefault } from "./setting-shapes.ts";

const printed = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => !hasUnseen(text), "must be one line without invisible characters: it is printed on invoices");

export const sellerSettings = {
  SELLER_NAME: withDefault(printed(120), "Slipway"),
  // Invoices show the seller's address, sandbox invoices too. Production must set it if we are the seller.
  SELLER_ADDRESS: withDefault(printed(500), "1 Example Street|10115 Berlin"),
  SELLER_COUNTRY: withDefault(
    z.string().overwrite(asCountry).refine(isCountry, "must be the two capital letters of a country, such as DE"),
    "DE",
  ),
  SELLER_VAT_ID: optional(printed(20)),
};

type Settings = { SELLER_NAME: string; SELLER_ADDRESS: string; SELLER_COUNTRY: string; SELLER_VAT_ID?: string | undefined };

/** The seller. `|` separates the lines of the address. */
export function readSeller(settings: Settings, supportEmail: string): Seller {
  return {
    name: settings.SELLER_NAME,
    address: settings.SELLER_ADDRESS.split("|")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
    country: settings.SELLER_COUNTRY,
    vatId: settings.SELLER_VAT_ID ?? "",
    email: supportEmail,
  };
}

/** A line for each seller setting missing in production if we are the seller: an invoice needs the seller's name and address. */
export function sellerProblems(env: Readonly<Record<string, string | undefined>>): string[] {
  const provider = Object.entries(providers).find(([name]) => name === env["PAYMENTS"])?.[1];
  if (env["NODE_ENV"] !== "production" || !provider?.forProduction || provider.isSeller) return [];
  return ["SELLER_NAME", "SELLER_ADDRESS", "SELLER_COUNTRY"]
    .filter((name) => !env[name])
    .map((name) => `${name}: invoices must name the seller`);
}
