import { useState } from "react";
import { Eye, EyeOff } from "lucide-react";
import { TextField, type TextFieldProps } from "./text-field.tsx";

interface PasswordFieldProps extends TextFieldProps {
  showLabel: string;
  hideLabel: string;
}

/** A password field that can show what is typed. */
export function PasswordField({ showLabel, hideLabel, ...field }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <TextField
      {...field}
      type={isShown ? "text" : "password"}
      autoCapitalize="none"
      spellCheck={false}
      action={
        <button
          type="button"
          onClick={() => setIsShown(!isShown)}
          aria-label={isShown ? hideLabel : showLabel}
          className="absolute inset-y-1 right-1 grid w-9 place-items-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink"
        >
          <Icon className="size-4" aria-hidden="true" />
        </button>
      }
    />
  );
}
