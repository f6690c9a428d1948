import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Inbox, MailX } from "lucide-react";
import { useSearchParams } from "react-router";
import { inboxQuery } from "../../features/inbox/inbox-query.ts";
import { MailFrame } from "../../features/inbox/mail-frame.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { classNames } from "../../ui/class-names.ts";
import { TimeText } from "../../ui/marks/time-text.tsx";
import { EmptyState } from "../../ui/notices/empty-state.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Skeleton, SkeletonGroup } from "../../ui/progress/skeleton.tsx";
import { t } from "../../features/inbox/words.ts";
import type { PageHandle } from "../../lib/page-title.ts";
import { dateFormat } from "../../lib/formats.ts";

export const handle: PageHandle = { title: () => t("inbox.page") };

interface Message {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  links: string[];
  sentAt: string;
}

export function Component() {
  const { data: messages, error, refetch } = useQuery(inboxQuery);
  return (
    <>
      <h1 className="text-2xl font-semibold">{t("inbox.title")}</h1>
      <p className="mt-1 mb-6 text-ink-soft">{t("inbox.lead")}</p>
      {error ? <ErrorNotice error={error} className="mb-5" onRetry={() => void refetch()} /> : null}
      {messages === undefined ? (
        error ? null : (
          <ListSkeleton />
        )
      ) : messages === null ? (
        <Card>
          <EmptyState icon={<MailX />} title={t("inbox.closed")}>
            {t("inbox.closedText")}
          </EmptyState>
        </Card>
      ) : messages.length === 0 ? (
        <Card>
          <EmptyState icon={<Inbox />} title={t("inbox.empty")}>
            {t("inbox.emptyText")}
          </EmptyState>
        </Card>
      ) : (
        <Messages messages={messages} />
      )}
    </>
  );
}

/** Side by side if there is room; on a small screen the message replaces the list. */
function Messages({ messages }: { messages: Message[] }) {
  const [items, setItems] = useSearchParams();
  const chosen = messages.find((message) => message.id === items.get("message"));
  const shown = chosen ?? messages[0];
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <Card className={classNames("overflow-hidden", chosen && "max-lg:hidden")}>
        <ul aria-label={t("inbox.list")} className="divide-y divide-line">
          {messages.map((message) => (
            <li key={message.id}>
              <button
                type="button"
                aria-current={message === shown ? "true" : undefined}
                onClick={() => setItems({ message: message.id })}
                className={classNames(
                  "block w-full px-4 py-3 text-left outline-offset-[-2px] hover:bg-sunken",
                  message === shown && "lg:bg-accent-soft",
                )}
              >
                <span className="flex justify-between gap-3">
                  <span className="truncate font-medium">{message.subject}</span>
                  <SentAt at={message.sentAt} />
                </span>
                <span className="block truncate text-[0.8125rem] text-ink-soft">{message.to}</span>
              </button>
            </li>
          ))}
        </ul>
      </Card>
      {shown ? (
        <div className={chosen ? "" : "max-lg:hidden"}>
          <Button tone="quiet" onClick={() => setItems({})} className="mb-2 -ml-2 lg:hidden">
            <ArrowLeft className="size-4" aria-hidden="true" />
            {t("inbox.back")}
          </Button>
          <MessageView key={shown.id} message={shown} />
        </div>
      ) : null}
    </div>
  );
}

function MessageView({ message }: { message: Message }) {
  return (
    <Card label={t("inbox.body", { subject: message.subject })} className="p-5 sm:p-6">
      <h2 className="text-lg font-semibold [overflow-wrap:anywhere]">{message.subject}</h2>
      <p className="mt-1 mb-4 flex flex-wrap justify-between gap-x-4 text-sm text-ink-soft">
        <span className="[overflow-wrap:anywhere]">
          {t("inbox.to")} {message.to}
        </span>
        <SentAt at={message.sentAt} />
      </p>
      {message.html ? (
        <MailFrame html={message.html} title={t("inbox.body", { subject: message.subject })} />
      ) : (
        <pre className="font-sans whitespace-pre-wrap">{message.text}</pre>
      )}
      {message.links.length > 0 ? (
        <section className="mt-5">
          <h3 className="text-sm font-semibold">{t("inbox.links")}</h3>
          <ul aria-label={t("inbox.links")} className="mt-1.5 space-y-1 text-sm">
            {message.links.map((link) => (
              <li key={link} className="[overflow-wrap:anywhere]">
                <a href={link} className="link">
                  {link}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </Card>
  );
}

const shortTime = dateFormat({ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

const SentAt = ({ at }: { at: string }) => (
  <TimeText at={at} className="shrink-0 text-[0.8125rem] text-ink-soft tabular-nums">
    {shortTime.format(new Date(at))}
  </TimeText>
);

function ListSkeleton() {
  return (
    <Card className="p-5">
      <SkeletonGroup label={t("common.loading")} className="space-y-4">
        <Skeleton className="h-10" />
        <Skeleton className="h-10" />
        <Skeleton className="h-10" />
      </SkeletonGroup>
    </Card>
  );
}
