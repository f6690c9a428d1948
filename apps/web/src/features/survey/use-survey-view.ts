/**
 * The question in view. It is stored in this tab, so that a reload, or returning from another page, shows the same one. After saving, that
 * is the last.
 */
import { useEffect, useRef, useState, type RefObject } from "react";
import type { DraftKey } from "../../lib/forms/unsaved-input.ts";
import { useDraft } from "../../lib/use-draft.ts";
import { aiQuestions, questionsToAsk, shownQuestion, type Question } from "./questions.ts";

interface SurveyView {
  question: Question;
  /** Counted from 0. */
  at: number;
  count: number;
  isLast: boolean;
  back: () => void;
  next: () => void;
  /** Adds the questions about AI, and shows the first of them. */
  openAi: () => void;
  /** The form around the question; moving to another question puts the focus into it. */
  area: RefObject<HTMLFormElement | null>;
}

/** `key`: of this user's draft. `withAi`: the questions about AI are included from the start. */
export function useSurveyView(key: DraftKey, withAi: boolean): SurveyView {
  const [kept, keep] = useDraft<string>(key, "");
  const [isOpened, setIsOpened] = useState(false);
  const area = useRef<HTMLFormElement>(null);
  const asked = questionsToAsk(withAi || isOpened || aiQuestions.some((each) => each === kept));
  const question = shownQuestion(asked, kept);
  const at = asked.indexOf(question);
  const shown = useRef(question);
  useEffect(() => {
    if (shown.current === question) return;
    shown.current = question;
    const fields = [...(area.current?.querySelectorAll<HTMLInputElement>("[data-question] input") ?? [])];
    (fields.find(({ checked }) => checked) ?? fields[0])?.focus();
  }, [question]);
  return {
    question,
    at,
    count: asked.length,
    isLast: at === asked.length - 1,
    back: () => keep(asked[at - 1] ?? question),
    next: () => keep(asked[at + 1] ?? question),
    openAi: () => {
      setIsOpened(true);
      keep(questionsToAsk(true)[at + 1]!);
    },
    area,
  };
}
