import { ChevronDown } from "lucide-react";
import { enHelp } from "../../words/en-help.ts";
import { t } from "../../words/words.ts";

export function Component() {
  return (
    <div className="mx-auto max-w-3xl">
      <h1 className="text-2xl font-semibold">{t("help.title")}</h1>
      <p className="mt-1 text-ink-soft">{t("help.lead")}</p>
      {enHelp.map((section) => (
        <section key={section.title} className="mt-8">
          <h2 className="mb-3 text-lg font-semibold">{section.title}</h2>
          <div className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface shadow-card">
            {section.items.map((item) => (
              <details key={item.question} className="group">
                <summary className="flex cursor-pointer list-none items-center justify-between gap-4 px-5 py-3.5 font-medium outline-offset-[-2px] hover:bg-sunken [&::-webkit-details-marker]:hidden">
                  {item.question}
                  <ChevronDown className="size-4 shrink-0 text-ink-soft transition-transform group-open:rotate-180" aria-hidden="true" />
                </summary>
                <p className="px-5 pb-4 text-ink-soft">{item.answer}</p>
              </details>
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}
