/** Who is named as the seller on invoices. */
import { z } from "zod";
import type { Seller } from "#domain/invoices/document/invoice-document.ts";
import { optional, withDefault } from "./setting-shapes.ts";

export const sellerSettings = {
  SELLER_NAME: withDefault(z.string().max(120), "Slipway"),
  // An invoice names where its seller is, so that one of the sandbox does as well; production must say it where we sell.
  SELLER_ADDRESS: withDefault(z.string().max(500), "1 Example Street|10115 Berlin"),
  SELLER_COUNTRY: withDefault(z.string().regex(/^[A-Z]{2}$/, "must be two capital letters, such as DE"), "DE"),
  SELLER_VAT_ID: optional(z.string().max(20)),
};

type Settings = { SELLER_NAME: string; SELLER_ADDRESS: string; SELLER_COUNTRY: string; SELLER_VAT_ID?: string | undefined };

/** The seller; lines of the address are separated by `|`. */
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

/** An invoice without the seller's name and address is none: what production must be told where we are the seller. */
export function sellerProblems(env: Readonly<Record<string, string | undefined>>): string[] {
  if (env["NODE_ENV"] !== "production" || env["PAYMENTS"] !== "stripe") return [];
  return ["SELLER_NAME", "SELLER_ADDRESS", "SELLER_COUNTRY"]
    .filter((name) => !env[name])
    .map((name) => `${name}: invoices must name the seller`);
}
