import { ArrowRight, ChevronDown, Link2 } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { apiReference } from "../../lib/api-reference.ts";
import { answerPath } from "../../lib/paths.ts";
import { useMaybeUser } from "../../lib/session/session.ts";
import { palettePages, pathOf } from "../palette/palette-pages.ts";
import { t as pageText } from "../palette/words.ts";
import { anchorOf, placesOf } from "./help-places.ts";
import { t } from "./words.ts";
import { markFound, type HelpItem } from "./search-help.ts";

interface AnswerProps {
  item: HelpItem;
  query: string;
  /** The answer that the address names: open, and in view. */
  isWanted: boolean;
  /** Called once it is shown; from then on the user decides what is open and where the focus is. */
  onShown: () => void;
}

/** A question that opens to its answer, with its own address. */
export function Answer({ item, query, isWanted, onShown }: AnswerProps) {
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!isWanted || !box.current) return;
    box.current.open = true;
    box.current.scrollIntoView({ block: "nearest" });
    box.current.querySelector("summary")?.focus({ preventScroll: true });
    onShown();
  }, [isWanted, onShown]);
  return (
    <details ref={box} id={item.id} className="group">
      <summary className="flex cursor-pointer list-none items-center justify-between gap-4 px-5 py-3.5 font-medium outline-offset-[-2px] hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <span className="min-w-0">
          <Marked text={item.question} query={query} />
        </span>
        <ChevronDown className="size-4 shrink-0 text-ink-soft transition-transform group-open:rotate-180" aria-hidden="true" />
      </summary>
      <div className="px-5 pt-2 pb-4">
        <p className="text-ink-soft">
          <Marked text={item.answer} query={query} />
        </p>
        <Places answerId={item.id} />
        <Link
          to={answerPath(item.id)}
          preventScrollReset
          aria-label={t("help.linkFor", { question: item.question })}
          className="mt-2 inline-flex items-center gap-1.5 rounded-sm text-[0.8125rem] text-ink-soft underline-offset-4 hover:underline"
        >
          <Link2 className="size-3.5" aria-hidden="true" />
          {t("help.link")}
        </Link>
      </div>
    </details>
  );
}

const placeLink = "inline-flex items-center gap-1.5 rounded-sm text-sm font-medium text-accent hover:underline";

/** Links to the pages that the answer mentions, as far as this account has them. */
function Places({ answerId }: { answerId: string }) {
  const pages = palettePages(useMaybeUser() ?? null);
  const shown = placesOf(answerId).flatMap((name) => pages.find((page) => page.name === name) ?? []);
  const isApi = answerId === "api";
  if (shown.length === 0 && !isApi) return null;
  return (
    <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1.5">
      {shown.map((page) => (
        <li key={page.name}>
          <Link to={pathOf(page) + (page.name === placesOf(answerId)[0] ? anchorOf(answerId) : "")} className={placeLink}>
            {t("help.open", { place: pageText(`palette.pages.${page.name}`) })}
            <ArrowRight className="size-3.5" aria-hidden="true" />
          </Link>
        </li>
      ))}
      {isApi ? (
        <li>
          <a href={apiReference} className={placeLink}>
            {t("help.open", { place: pageText("palette.apiReference") })}
            <ArrowRight className="size-3.5" aria-hidden="true" />
          </a>
        </li>
      ) : null}
    </ul>
  );
}

function Marked({ text, query }: { text: string; query: string }) {
  let position = 0;
  return markFound(text, query).map((part) => {
    const key = (position += part.text.length);
    return part.isFound ? (
      <mark key={key} className="rounded-sm bg-warning-soft text-ink">
        {part.text}
      </mark>
    ) : (
      part.text
    );
  });
}
