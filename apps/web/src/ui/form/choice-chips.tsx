import { useId, type ReactNode } from "react";
import { Check } from "lucide-react";
import { classNames } from "../class-names.ts";

interface ChoiceChipsProps<Value extends string | number> {
  label: string;
  /** Stands beside the label, such as "Choose all that fit". */
  hint?: string;
  options: readonly { value: Value; label: string }[];
  chosen: readonly Value[];
  onChange: (chosen: Value[]) => void;
  /** Without it one choice replaces the other, and choosing it again takes it back. */
  several?: boolean;
  /** Below the options, such as the meaning of both ends of a scale. */
  children?: ReactNode;
}

/** Options as chips over real radio buttons or checkboxes: the keyboard and screen readers know them as such. */
export function ChoiceChips<Value extends string | number>({
  label,
  hint,
  options,
  chosen,
  onChange,
  several = false,
  children,
}: ChoiceChipsProps<Value>) {
  const id = useId();
  const toggle = (value: Value) => {
    if (!several) return onChange([value]);
    onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]);
  };
  return (
    <fieldset aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend className="mb-2 font-medium">
        <span className="mr-2">{label}</span>
        {hint ? (
          <span id={`${id}-hint`} className="inline-block text-[0.8125rem] font-normal text-ink-soft">
            {hint}
          </span>
        ) : null}
      </legend>
      <div className="flex flex-wrap gap-2">
        {options.map((option) => (
          <Chip
            key={option.value}
            name={id}
            several={several}
            isChosen={chosen.includes(option.value)}
            onToggle={() => toggle(option.value)}
            onTakeBack={() => onChange([])}
          >
            {option.label}
          </Chip>
        ))}
      </div>
      {children}
    </fieldset>
  );
}

interface ChipProps {
  name: string;
  several: boolean;
  isChosen: boolean;
  onToggle: () => void;
  onTakeBack: () => void;
  children: ReactNode;
}

function Chip({ name, several, isChosen, onToggle, onTakeBack, children }: ChipProps) {
  return (
    <label
      className={classNames(
        "flex min-h-10 cursor-pointer items-center gap-1.5 rounded-full border px-3.5 py-1.5 text-sm select-none has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
        isChosen ? "border-accent bg-accent-soft font-medium text-accent-strong" : "border-line-strong bg-surface hover:bg-sunken",
      )}
    >
      <input
        type={several ? "checkbox" : "radio"}
        name={name}
        checked={isChosen}
        onChange={onToggle}
        // A browser's radio button cannot be unselected; an optional answer must be.
        onClick={several || !isChosen ? undefined : onTakeBack}
        onKeyDown={(event) => {
          if (!several && isChosen && (event.key === "Backspace" || event.key === "Delete")) onTakeBack();
        }}
        className="sr-only"
      />
      {isChosen ? <Check className="size-3.5 shrink-0" strokeWidth={2.5} aria-hidden="true" /> : null}
      {children}
    </label>
  );
}
