import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { t } from "../words.ts";

/** The frame of every step: the same width, and at least the same height, so that neither the card nor its buttons jump between steps. */
export function StepCard({ children, picture, footer }: { children: ReactNode; picture?: ReactNode; footer?: ReactNode }) {
  return (
    <div className="mx-auto max-w-3xl">
      {/* `clip`, not `hidden`: its last row sticks to the window's edge. */}
      <Card className="flex flex-col overflow-clip sm:min-h-[38rem]">
        {picture}
        <div className="flex-1 p-6 sm:p-8">{children}</div>
        {footer}
      </Card>
    </div>
  );
}

interface StepFooterProps {
  /** What this step goes back to or leaves out. */
  back?: ReactNode;
  /** Above the buttons, such as what was chosen so far, or why it could not be saved. */
  above?: ReactNode;
  /** The step's own buttons: the one that continues is the last. */
  children: ReactNode;
}

/** The buttons of a step, always in view and at the same place: back on the left, on with the sign-up on the right. */
export function StepFooter({ back, above, children }: StepFooterProps) {
  return (
    <div className="sticky bottom-0 rounded-b-xl border-t border-line bg-surface px-4 py-3.5 sm:px-8 sm:py-4">
      {above}
      <div className="flex flex-wrap items-center gap-2">
        <div className="mr-auto">{back}</div>
        {/* On a small screen the last one is as wide as its row. */}
        <div className="contents max-sm:*:last:grow">{children}</div>
      </div>
    </div>
  );
}

/** On a small screen only its arrow, so that all buttons fit into one row. */
export function BackButton({ to }: { to: string | (() => void) }) {
  const content = (
    <>
      <ArrowLeft className="size-4" aria-hidden="true" />
      <span className="max-sm:sr-only">{t("survey.back")}</span>
    </>
  );
  const look = "max-sm:px-3";
  return typeof to === "string" ? (
    <ButtonLink to={to} tone="plain" className={look}>
      {content}
    </ButtonLink>
  ) : (
    <Button tone="plain" onClick={to} className={look}>
      {content}
    </Button>
  );
}
