/** Opens the question for the password above whatever page made the call that needs it. */
import { createRoot } from "react-dom/client";
import { ConfirmPasswordDialog } from "./confirm-password-dialog.tsx";

let asking: Promise<boolean> | undefined;

/** Whether the person has typed their password; of several calls that need it at once, all wait for one answer. */
export function askPassword(): Promise<boolean> {
  asking ??= ask().finally(() => (asking = undefined));
  return asking;
}

function ask(): Promise<boolean> {
  const place = document.createElement("div");
  // A dialog below this one must not hear the Escape that closes this one.
  place.addEventListener("keydown", (event) => event.stopPropagation());
  document.body.append(place);
  const root = createRoot(place);
  return new Promise<boolean>((resolve) => root.render(<ConfirmPasswordDialog onDone={resolve} />)).finally(() => {
    root.unmount();
    place.remove();
  });
}
