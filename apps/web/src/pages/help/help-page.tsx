import { ChevronDown, SearchX } from "lucide-react";
import { useCallback, useRef, useState, type ReactNode } from "react";
import { useLocation, useParams, type LoaderFunctionArgs } from "react-router";
import { Answer } from "../../features/help/answer.tsx";
import { closestHelp, searchHelp, type HelpItem, type HelpSection } from "../../features/help/search-help.ts";
import { TopicCard } from "../../features/help/topic-card.tsx";
import { useAnswerKeys } from "../../features/help/use-answer-keys.ts";
import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { knownUser, refreshUser, useMaybeUser } from "../../lib/session/session.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { classNames } from "../../ui/class-names.ts";
import { EmptyState } from "../../ui/notices/empty-state.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { enHelp } from "../../features/help/answers.ts";
import { helpSections } from "../../features/help/spoken-answers.ts";
import { t } from "../../features/help/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";

export const handle: PageHandle = { title: () => t("help.page") };

/** What the page says about the account must be current. It opens even if that cannot be loaded: a user with a problem needs it most. */
export const loader = async ({ params }: LoaderFunctionArgs) => {
  if (params["question"] && !enHelp.some(({ items }) => items.some(({ id }) => id === params["question"])))
    throw new Response(null, { status: 404, statusText: "Not Found" });
  if (knownUser()) await refreshUser().catch(() => null);
  return null;
};

export function Component() {
  const { question } = useParams();
  const { key } = useLocation();
  const [shownKey, setShownKey] = useState<string | null>(null);
  const onShown = useCallback(() => setShownKey(key), [key]);
  const wanted = shownKey === key ? undefined : question;
  const [query, setQuery] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const onKeyDown = useAnswerKeys(field, () => setQuery(""));
  const exact = searchHelp(helpSections(), query);
  const found = exact.length > 0 ? exact : closestHelp(helpSections(), query);
  const isSearch = query.trim() !== "";
  // A customer with a workspace has already signed up and in, so that subject comes last.
  const [signUp, signIn, ...others] = helpSections();
  const sections = useMaybeUser()?.account.isSetup ? [...others, signIn!, signUp!] : helpSections();
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys only move focus between what is interactive
    <div className="mx-auto max-w-3xl" onKeyDown={onKeyDown}>
      <h1 className="text-2xl font-semibold">{t("help.title")}</h1>
      <p className="mt-1 text-ink-soft">{t("help.lead")}</p>
      <TopicCard className="mt-6" />
      <div role="search" className="mt-6">
        <TextField
          ref={field}
          type="search"
          label={t("help.search")}
          placeholder={t("help.searchExample")}
          hint={<span className="max-sm:hidden">{t("help.searchHint")}</span>}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          maxLength={200}
          autoComplete="off"
        />
      </div>
      <p role="status" className={isSearch && found.length > 0 ? "mt-6 text-sm text-ink-soft" : "sr-only"}>
        {!isSearch
          ? ""
          : found.length > 0
            ? t(exact.length > 0 ? "help.found" : "help.closest", { count: found.length })
            : t("help.none", { query })}
      </p>
      {!isSearch ? (
        <>
          <Subjects sections={sections} />
          {sections.map((section) => (
            <Subject key={section.title} section={section} hasWanted={section.items.some(({ id }) => id === question)}>
              <Answers items={section.items} query="" wanted={wanted} onShown={onShown} />
            </Subject>
          ))}
        </>
      ) : found.length > 0 ? (
        <div className="mt-3">
          <Answers items={found} query={query} wanted={wanted} onShown={onShown} />
        </div>
      ) : (
        <NothingFound query={query} onClear={() => (setQuery(""), field.current?.focus())} />
      )}
      <Support />
    </div>
  );
}

/** Named by its first answer, whose id never changes. */
const subjectId = ({ items }: HelpSection): string => `about-${items[0]!.id}`;

interface SubjectProps {
  section: HelpSection;
  /** Whether the address names one of its answers. */
  hasWanted: boolean;
  children: ReactNode;
}

/** A subject with its answers, which on a narrow screen are shown once its heading is pressed. */
function Subject({ section, hasWanted, children }: SubjectProps) {
  const [isOpen, setIsOpen] = useState(hasWanted);
  const id = `answers-${section.items[0]!.id}`;
  return (
    <section aria-labelledby={subjectId(section)} className="mt-3 first-of-type:mt-6 sm:mt-8">
      <h2 id={subjectId(section)} tabIndex={-1} className="hidden scroll-mt-6 pb-3 text-lg font-semibold outline-none sm:block">
        {section.title}
      </h2>
      <h2 className="sm:hidden">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-h-12 w-full items-center justify-between gap-3 rounded-xl border border-line bg-surface px-4 text-left font-semibold"
        >
          {section.title}
          <span className="ml-auto text-sm font-normal text-ink-soft tabular-nums" aria-hidden="true">
            {section.items.length}
          </span>
          <ChevronDown className={classNames("size-4 shrink-0 text-ink-soft", isOpen && "rotate-180")} aria-hidden="true" />
        </button>
      </h2>
      <div id={id} className={classNames("max-sm:mt-2", !isOpen && "max-sm:hidden")}>
        {children}
      </div>
    </section>
  );
}

/** The subjects as a row, each a button that leads to its answers: the page is long. */
function Subjects({ sections }: { sections: readonly HelpSection[] }) {
  const lead = (section: HelpSection) => {
    const heading = document.getElementById(subjectId(section));
    heading?.scrollIntoView();
    heading?.focus({ preventScroll: true });
  };
  return (
    <ul aria-label={t("help.subjects")} className="mt-5 flex flex-wrap gap-2 max-sm:hidden">
      {sections.map((section) => (
        <li key={section.title}>
          <button
            type="button"
            onClick={() => lead(section)}
            className="min-h-9 rounded-full border border-line bg-surface px-3.5 text-sm font-medium text-ink-soft hover:border-line-strong hover:text-ink"
          >
            {section.title}
          </button>
        </li>
      ))}
    </ul>
  );
}

interface AnswersProps {
  items: readonly HelpItem[];
  query: string;
  wanted: string | undefined;
  onShown: () => void;
}

function Answers({ items, query, wanted, onShown }: AnswersProps) {
  return (
    <div className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface shadow-card">
      {items.map((item) => (
        <Answer key={item.id} item={item} query={query} isWanted={item.id === wanted} onShown={onShown} />
      ))}
    </div>
  );
}

function NothingFound({ query, onClear }: { query: string; onClear: () => void }) {
  return (
    <Card className="mt-6">
      <EmptyState
        icon={<SearchX />}
        title={t("help.none", { query })}
        action={
          <Button tone="plain" onClick={onClear}>
            {t("help.clear")}
          </Button>
        }
      >
        {t("help.noneText")}
      </EmptyState>
    </Card>
  );
}

/** The support address; empty while the settings are loading. */
function Support() {
  const { supportEmail } = useFrontEndConfig();
  const user = useMaybeUser();
  if (!supportEmail) return null;
  const subject = user ? `?subject=${encodeURIComponent(t("help.supportSubject", { name: user.username }))}` : "";
  return (
    <section className="mt-10 border-t border-line pt-6">
      <h2 className="text-lg font-semibold">{t("help.support")}</h2>
      <p className="mt-1 text-ink-soft">{t("help.supportText")}</p>
      <a href={`mailto:${supportEmail}${subject}`} className="link mt-2 inline-block font-medium">
        {supportEmail}
      </a>
    </section>
  );
}
