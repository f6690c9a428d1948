/** Calls `end` once `ms` have passed; while `isHeld`, it waits for the same time again (WCAG 2.2.1). Returns a function that stops it. */
export function startCountdown(ms: number, isHeld: () => boolean | undefined, end: () => void): () => void {
  const look = () => (isHeld() ? void (timer = setTimeout(look, ms)) : end());
  let timer = setTimeout(look, ms);
  return () => clearTimeout(timer);
}
