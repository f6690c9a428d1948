import type { Connection } from "#platform/database.ts";
import type { Standing } from "./document/draw-invoice.ts";
import { listCorrections, readReceived, type InvoiceRow } from "./invoice-store.ts";

/** An invoice's current status: what was received for it, and which credit notes correct it. */
export async function readStanding(
  db: Connection,
  { id, status, currency }: Pick<InvoiceRow, "id" | "status" | "currency">,
): Promise<Standing> {
  const { received, last } = await readReceived(db, id);
  const corrections = (await listCorrections(db, id)).flatMap(({ number, total }) =>
    number ? [{ number, total: { amount: total, currency } }] : [],
  );
  return { status, received, last, corrections };
}
