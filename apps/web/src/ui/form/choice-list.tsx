import { useId, useRef, type ReactNode } from "react";
import { Check } from "lucide-react";
import { classNames } from "../class-names.ts";
import { choiceKey } from "./choice-keys.ts";
import { isRealPress } from "./is-real-press.ts";

/** The second half of a double click is not meant to clear what the first chose. */
const doubleClickMs = 500;

interface ChoiceListProps<Value extends string | number> {
  label: string;
  /** Below the label, such as "Choose all that apply". */
  hint?: ReactNode;
  options: readonly { value: Value; label: string }[];
  chosen: readonly Value[];
  onChange: (chosen: Value[]) => void;
  /** Without it, one choice replaces the other, and choosing it again clears it. */
  several?: boolean;
  /**
   * Runs when an option was chosen by pointing at it or by its key, which is a decision. Moving through radio buttons by arrow keys, or
   * choosing one by assistive technology, only looks at them.
   */
  onPick?: ((chosen: Value) => void) | undefined;
  /** In how many columns, where there is room. */
  columns?: 2 | 3;
  /** Steps of one scale, side by side: the label of each is its key. */
  isScale?: boolean;
  /** Below the options, such as the meaning of both ends of a scale. */
  children?: ReactNode;
}

/**
 * Options as real radio buttons or checkboxes, so that the keyboard and screen readers handle them as such. Each shows the key of
 * `useChoiceKeys`.
 */
export function ChoiceList<Value extends string | number>({
  label,
  hint,
  options,
  chosen,
  onChange,
  several = false,
  onPick,
  columns = 2,
  isScale = false,
  children,
}: ChoiceListProps<Value>) {
  const id = useId();
  const toggle = (value: Value) => {
    if (!several) return onChange([value]);
    onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]);
  };
  return (
    <fieldset aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend className="text-lg font-semibold">{label}</legend>
      {hint ? (
        <p id={`${id}-hint`} className="mt-0.5 text-sm text-ink-soft">
          {hint}
        </p>
      ) : null}
      <div
        className={classNames(
          "mt-4 grid gap-2",
          isScale ? "max-w-md grid-cols-6" : columns === 3 ? "sm:grid-cols-2 md:grid-cols-3" : "sm:grid-cols-2",
        )}
      >
        {options.map((option, index) => (
          <Choice
            key={option.value}
            name={id}
            shortcut={isScale ? option.label : choiceKey(index)}
            isScale={isScale}
            several={several}
            isChosen={chosen.includes(option.value)}
            onToggle={() => toggle(option.value)}
            onTakeBack={() => onChange([])}
            onPick={onPick && (() => onPick(option.value))}
          >
            {option.label}
          </Choice>
        ))}
      </div>
      {children}
    </fieldset>
  );
}

interface ChoiceProps {
  name: string;
  shortcut: string | undefined;
  isScale: boolean;
  several: boolean;
  isChosen: boolean;
  onToggle: () => void;
  onTakeBack: () => void;
  onPick: (() => void) | undefined;
  children: ReactNode;
}

function Choice({ name, shortcut, isScale, several, isChosen, onToggle, onTakeBack, onPick, children }: ChoiceProps) {
  const isPressed = useRef(false);
  const chosenMs = useRef(-Infinity);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the keyboard reaches the input itself
    <label
      onPointerDown={({ nativeEvent }) => (isPressed.current = isRealPress(nativeEvent))}
      // The browser passes this click on to the hidden input, where it can no longer be told from that of an arrow key.
      onClick={(event) => {
        if (!(event.target instanceof Element) || event.target.tagName === "INPUT") return;
        if (!isChosen && isPressed.current) onPick?.();
        isPressed.current = false;
      }}
      className={classNames(
        "flex min-h-11 cursor-pointer items-center gap-3 rounded-lg border px-3 py-2 text-sm select-none has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
        isScale && "justify-center tabular-nums",
        isChosen ? "border-accent bg-accent-soft font-medium text-accent-strong" : "border-line-strong bg-surface hover:bg-sunken",
      )}
    >
      <input
        type={several ? "checkbox" : "radio"}
        name={name}
        checked={isChosen}
        onChange={() => {
          chosenMs.current = performance.now();
          onToggle();
        }}
        // A browser's radio button cannot be cleared; an optional answer must be.
        onClick={() => {
          if (!several && isChosen && performance.now() - chosenMs.current > doubleClickMs) onTakeBack();
        }}
        onKeyDown={(event) => {
          if (!several && isChosen && (event.key === "Backspace" || event.key === "Delete")) onTakeBack();
        }}
        data-choice-key={shortcut}
        className="sr-only"
      />
      {isScale ? null : <KeyMark isChosen={isChosen}>{shortcut}</KeyMark>}
      <span className={classNames(!isScale && "min-w-0 flex-1 [overflow-wrap:anywhere]")}>{children}</span>
      {isChosen && !isScale ? <Check className="size-4 shrink-0" strokeWidth={2.5} aria-hidden="true" /> : null}
    </label>
  );
}

/** The key that chooses an option; nothing if the device has no keyboard. */
function KeyMark({ isChosen, children }: { isChosen: boolean; children: ReactNode }) {
  return (
    <kbd
      aria-hidden="true"
      className={classNames(
        "grid size-6 shrink-0 place-items-center rounded border font-sans text-xs font-medium uppercase pointer-coarse:hidden",
        isChosen ? "border-accent/40" : "border-line bg-sunken text-ink-soft",
      )}
    >
      {children}
    </kbd>
  );
}
