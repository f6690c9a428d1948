import { ChevronDown } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { LogRow } from "./log-row.tsx";
import type { LogLine } from "./log-lines.ts";
import { t } from "./words.ts";

/** Within this distance of the end, the newest line is visible. */
const nearEndPx = 24;

interface LogBoxProps {
  lines: readonly LogLine[];
  isPaused: boolean;
  /** How many lines have come since it was paused. */
  newLines: number;
  onPause: () => void;
  onResume: () => void;
}

/**
 * The lines, in a box that stays at its end until the user scrolls up, and returns to it with End or the button. Screen readers do not
 * announce each line: there may be hundreds a second.
 */
export function LogBox({ lines, isPaused, newLines, onPause, onResume }: LogBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!isPaused) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [lines, isPaused]);
  const follow = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: { currentTarget: HTMLDivElement }) => {
    const isAtEnd = scrollHeight - scrollTop - clientHeight <= nearEndPx;
    if (isAtEnd === isPaused) (isAtEnd ? onResume : onPause)();
  };
  return (
    <div className="relative">
      <div
        ref={box}
        role="region"
        aria-label={t("logs.output")}
        // Makes it scrollable with the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={follow}
        className="h-[60dvh] min-h-72 overflow-y-auto overscroll-contain bg-sunken py-2 font-mono text-xs leading-5"
      >
        {lines.map((line) => (
          <LogRow key={line.key} line={line} />
        ))}
      </div>
      {isPaused ? (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <Button
            tone="plain"
            className="pointer-events-auto shadow-pop"
            onClick={() => {
              onResume();
              box.current?.focus();
            }}
          >
            <ChevronDown className="size-4" aria-hidden="true" />
            {t("logs.jump")}
            {newLines > 0 ? <span className="font-normal tabular-nums">{t("logs.newLines", { count: newLines })}</span> : null}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
