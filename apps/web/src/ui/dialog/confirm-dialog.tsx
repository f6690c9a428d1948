import { lazy, Suspense, useState, type ReactNode } from "react";
import { loadPage } from "../../lib/faults/load-page.ts";
import { loadConfirmBox } from "./boxes.ts";

const ConfirmBox = lazy(() => loadPage(loadConfirmBox));

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  cancelLabel: string;
  /** It deletes something for good. */
  deletes?: boolean;
  onConfirm: () => void;
}

/** Asks before an action that cannot simply be undone. The layout prefetches it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [wasOpen, setWasOpen] = useState(props.open);
  if (props.open && !wasOpen) setWasOpen(true);
  return wasOpen ? (
    <Suspense fallback={null}>
      <ConfirmBox {...props} />
    </Suspense>
  ) : null;
}
