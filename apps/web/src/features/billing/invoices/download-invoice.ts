import { refusal, send, unanswered } from "../../../lib/api/api-client.ts";
import { panelCalls } from "../../../lib/api/panel-calls.ts";
import { addressOf } from "../../../lib/config.ts";

/**
 * Saves the PDF on the customer's device. If the provider has it, its page opens instead; the address is requested at each click, because
 * it expires. Throws ApiError.
 */
export async function downloadInvoice(id: string): Promise<void> {
  const address = addressOf(panelCalls.getInvoice.path).replace(":id", encodeURIComponent(id));
  const response = await send(address, { credentials: "include", redirect: "manual" });
  // On another host a script may not read the file, but the browser may open it.
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
