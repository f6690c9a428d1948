import { useFrontEndConfig } from "../../lib/front-end-config.ts";
import { useMaybeUser } from "../../lib/session/session.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { t } from "./words.ts";
import { t as signUpText } from "../sign-up/words.ts";
import { helpTopic, type HelpTopic } from "./help-topic.ts";

/** The most likely reason why this user is here. */
export function TopicCard({ className }: { className?: string }) {
  const topic = helpTopic(useMaybeUser(), useFrontEndConfig().instanceOperations);
  return (
    <Card label={t("help.now.label")} className={`flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5 ${className ?? ""}`}>
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="font-semibold">{t(`help.now.${topic.topic}.title`)}</h2>
        <p className="mt-0.5 text-sm text-ink-soft">{t(`help.now.${topic.topic}.text`)}</p>
      </div>
      {"to" in topic ? (
        <ButtonLink to={topic.to} tone="plain">
          {actionWords(topic)}
        </ButtonLink>
      ) : null}
    </Card>
  );
}

const actionWords = (topic: Exclude<HelpTopic, { topic: "operationsOff" }>): string =>
  topic.topic === "onTheWay" ? signUpText(`checklist.continue.${topic.step}`) : t(`help.now.${topic.topic}.action`);
