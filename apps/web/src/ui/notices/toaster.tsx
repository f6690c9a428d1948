/** Short messages. Hand-made: the component library's toast costs 22 KB, and the sign-in page shows one after signing out. */
import { useEffect, useRef } from "react";
import { X } from "lucide-react";
import { startCountdown } from "../../lib/countdown.ts";
import { dismissNotice, notices, type NoticeAction, type PassingNotice } from "../../lib/notices/notices.ts";
import { useStore } from "../../lib/store.ts";
import { Notice } from "./notice.tsx";

/** Long enough to read a sentence twice; warnings stay until they are closed. */
const shownMs = 6_000;
/** Long enough to change one's mind, and to reach the button by keyboard; with the focus on it, it stays. */
const shownWithActionMs = 15_000;

export function Toaster({ dismissLabel }: { dismissLabel: string }) {
  const shown = useStore(notices);
  return (
    <div className="toasts">
      {shown.map((notice) => (
        <Toast key={notice.id} notice={notice} dismissLabel={dismissLabel} />
      ))}
    </div>
  );
}

function Toast({ notice, dismissLabel }: { notice: PassingNotice; dismissLabel: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (notice.tone === "warning" || notice.tone === "danger") return;
    // Not while someone is reading it, or about to press its button.
    const isHeld = () => box.current?.matches(":hover, :focus-within");
    return startCountdown(notice.action ? shownWithActionMs : shownMs, isHeld, () => dismissNotice(notice.id));
  }, [notice]);
  return (
    <div ref={box} className="toast">
      <Notice tone={notice.tone} title={notice.text} className="pr-11">
        {notice.action ? <ToastAction notice={notice} action={notice.action} /> : null}
      </Notice>
      <button type="button" aria-label={dismissLabel} onClick={() => dismissNotice(notice.id)}>
        <X className="size-4" aria-hidden="true" />
      </button>
    </div>
  );
}

function ToastAction({ notice, action }: { notice: PassingNotice; action: NoticeAction }) {
  const act = () => {
    dismissNotice(notice.id);
    action.run();
  };
  return (
    <button type="button" onClick={act} className="link rounded-sm font-medium">
      {action.label}
    </button>
  );
}
