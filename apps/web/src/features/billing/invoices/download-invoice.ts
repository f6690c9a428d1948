/** Fetches an invoice. Where the provider keeps it, its page opens instead; the address is asked for at each click, since it expires. */
import { refusal, send, unanswered } from "../../../lib/api/api-client.ts";
import { addressOf } from "../../../lib/config.ts";
import { lateCalls } from "../../../lib/api/panel-calls.ts";

/** Saves the PDF on the person's device; throws ApiError where it cannot be had. */
export async function downloadInvoice(id: string): Promise<void> {
  const address = addressOf(lateCalls.getInvoice.path).replace(":id", encodeURIComponent(id));
  const response = await send(address, { credentials: "same-origin", redirect: "manual" });
  // Somebody else's host: a script may not read it, a browser may open it.
  if (response.type === "opaqueredirect") return location.assign(address);
  if (!response.ok) throw await refusal(response);
  const name = /filename="?([\w.-]+)"?/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? `invoice-${id}.pdf`;
  const file = await response.blob().catch((cause: unknown) => {
    throw unanswered(cause);
  });
  save(file, name);
}

function save(blob: Blob, name: string): void {
  const file = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = file;
  link.download = name;
  link.click();
  // Some browsers read it only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(file), 60_000);
}
