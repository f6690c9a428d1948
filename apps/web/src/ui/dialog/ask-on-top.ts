import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";

/** Draws a question above whichever page is open, and resolves with its answer. */
export function askOnTop<Answer>(draw: (answer: (answer: Answer) => void) => ReactNode): Promise<Answer> {
  const place = document.createElement("div");
  // A dialog below this one must not react to the Escape that closes this one.
  place.addEventListener("keydown", (event) => event.stopPropagation());
  document.body.append(place);
  const root = createRoot(place);
  return new Promise<Answer>((resolve) => root.render(draw(resolve))).finally(() => {
    root.unmount();
    place.remove();
  });
}
