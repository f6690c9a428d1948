import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { DialogProps } from "./dialog.tsx";

/** The content of ./dialog.tsx. */
export default function DialogBox({ open, onClose, title, description, closeLabel, children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/50 transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup className="fixed top-1/2 left-1/2 z-40 max-h-[calc(100dvh-2rem)] w-[min(28rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-xl border border-line bg-raised p-6 text-ink shadow-pop transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0">
          <Base.Title className="pr-10 text-lg font-semibold">{title}</Base.Title>
          <Base.Description className="mt-2 text-sm [overflow-wrap:anywhere] text-ink-soft">{description}</Base.Description>
          {children}
          <Base.Close
            aria-label={closeLabel}
            className="absolute top-4 right-4 grid size-9 place-items-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink"
          >
            <X className="size-4" aria-hidden="true" />
          </Base.Close>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
