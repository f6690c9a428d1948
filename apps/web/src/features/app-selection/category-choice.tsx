import { useId } from "react";
import { classNames } from "../../ui/class-names.ts";
import { t } from "../sign-up/words.ts";
import { categoryName } from "./categories.ts";

interface CategoryChoiceProps {
  categories: readonly string[];
  /** "" is all of them. */
  chosen: string;
  onChange: (category: string) => void;
}

/** One category at a time: a row that wraps, or scrolls if the screen is narrow. */
export function CategoryChoice({ categories, chosen, onChange }: CategoryChoiceProps) {
  const name = useId();
  return (
    <fieldset className="-mx-1 min-w-0">
      <legend className="sr-only">{t("apps.category")}</legend>
      <div className="flex gap-1.5 overflow-x-auto p-1 sm:flex-wrap">
        {["", ...categories].map((category) => (
          <label
            key={category}
            className={classNames(
              "relative flex min-h-8 shrink-0 cursor-pointer items-center rounded-full border px-3 text-[0.8125rem] font-medium select-none has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent",
              category === chosen
                ? "border-accent bg-accent-soft text-accent-strong"
                : "border-line bg-surface text-ink-soft hover:border-line-strong hover:text-ink",
            )}
          >
            <input type="radio" name={name} checked={category === chosen} onChange={() => onChange(category)} className="sr-only" />
            {category === "" ? t("apps.allCategories") : categoryName(category)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
