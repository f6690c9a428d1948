import { lazy, Suspense, useState, type ReactNode } from "react";
import { loadPage } from "../../lib/faults/load-page.ts";
import { loadDialogBox } from "./boxes.ts";

const DialogBox = lazy(() => loadPage(loadDialogBox));

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description: ReactNode;
  closeLabel: string;
  children: ReactNode;
}

/**
 * A form on top of the page: keeps the focus inside, closes on Escape and on a click outside, and scrolls if it is higher than the screen.
 * The layout prefetches it.
 */
export function Dialog(props: DialogProps) {
  const [wasOpen, setWasOpen] = useState(props.open);
  if (props.open && !wasOpen) setWasOpen(true);
  return wasOpen ? (
    <Suspense fallback={null}>
      <DialogBox {...props} />
    </Suspense>
  ) : null;
}
