import { ChevronRight } from "lucide-react";
import type { ReleaseChanges as Changes } from "#contract/workspaces/workspace-settings.ts";
import { inEachLanguage } from "../../../../lib/formats.ts";
import { t } from "../../words.ts";

const lists = inEachLanguage((language) => new Intl.ListFormat(language, { type: "conjunction" }));
const kinds = ["newNodes", "changedNodes", "removedNodes"] as const;

/** What a release changed: the numbers in one line, the names on request. */
export function ReleaseChanges({ changes }: { changes: Changes }) {
  const counts = [
    ...kinds.flatMap((kind) => (changes[kind].length > 0 ? [t(`settings.changes.${kind}`, { count: changes[kind].length })] : [])),
    ...(changes.migrations > 0 ? [t("settings.changes.migrations", { count: changes.migrations })] : []),
  ];
  const named = kinds.filter((kind) => changes[kind].length > 0);
  const text = t("settings.changes.since", {
    version: changes.since,
    changes: counts.length > 0 ? counts.join(", ") : t("settings.changes.none"),
  });
  if (named.length === 0) return <p className="pl-6.5 text-[0.8125rem] text-ink-soft">{text}</p>;
  return (
    <details className="group pl-6.5 text-[0.8125rem]">
      <summary className="flex w-fit cursor-pointer list-none items-start gap-1 rounded-sm text-ink-soft hover:text-ink">
        {text}
        <ChevronRight className="mt-[3px] size-3.5 shrink-0 transition-transform group-open:rotate-90" aria-hidden="true" />
      </summary>
      <dl className="mt-2 space-y-2 pb-1">
        {named.map((kind) => (
          <div key={kind}>
            <dt className={kind === "removedNodes" ? "font-medium text-warning" : "font-medium"}>{t(`settings.changes.names.${kind}`)}</dt>
            <dd className="[overflow-wrap:anywhere] text-ink-soft">{lists().format(changes[kind])}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
