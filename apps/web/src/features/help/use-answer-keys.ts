import { useEffect, type KeyboardEvent, type RefObject } from "react";

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The arrow keys move from the search field through the questions and back; Escape returns to it, and "/" focuses it from anywhere. */
export function useAnswerKeys(field: RefObject<HTMLInputElement | null>, clear: () => void) {
  useEffect(() => {
    const findField = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener("keydown", findField);
    return () => document.removeEventListener("keydown", findField);
  }, [field]);

  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === "Escape") {
      if (document.activeElement === field.current) clear();
      field.current?.focus();
      return;
    }
    const step = steps[event.key];
    if (step === undefined) return;
    const stops = [field.current, ...event.currentTarget.querySelectorAll<HTMLElement>("summary")].filter(
      (stop) => stop?.checkVisibility() ?? false,
    );
    const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step];
    if (!stops.includes(document.activeElement as HTMLElement) || !next) return;
    event.preventDefault();
    next.focus();
  };
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
