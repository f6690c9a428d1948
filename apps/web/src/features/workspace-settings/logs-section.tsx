import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import type { RouteAnswer } from "#contract/api/route.ts";
import { callApi } from "../../lib/api/api-client.ts";
import type { Routes } from "../../lib/api/calls.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { Notice } from "../../ui/notices/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { t } from "./words.ts";

const logsQuery = queryOptions({
  queryKey: ["workspace", "logs"],
  queryFn: ({ signal }) => callApi("getInstanceLogs", { signal }),
  retry: false,
  staleTime: 0,
  gcTime: 0,
});

/** The workspace's output; loaded only on request, because each request goes to its host. */
export function LogsSection() {
  const [isShown, setIsShown] = useState(false);
  const { data, error, refetch, isFetching } = useQuery({ ...logsQuery, enabled: isShown });
  const read = () => (isShown ? void refetch() : setIsShown(true));
  return (
    <Section
      title={t("settings.logs.title")}
      lead={t("settings.logs.lead")}
      action={
        <Button tone="plain" pending={isFetching} pendingText={t("settings.logs.reading")} onClick={read}>
          {t(isShown ? "settings.logs.again" : "settings.logs.show")}
        </Button>
      }
    >
      {error && !isFetching ? <ErrorNotice error={error} title={t("settings.logs.failed")} className="mb-3" /> : null}
      {data ? <Output {...data} /> : null}
    </Section>
  );
}

const moment = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });

function Output({ text, readAt, isCurrent }: RouteAnswer<Routes["getInstanceLogs"]>) {
  const id = useId();
  const box = useRef<HTMLPreElement>(null);
  const time = readAt ? moment.format(new Date(readAt)) : "";
  // The newest lines are last, and the ones most likely wanted.
  useEffect(() => void box.current?.scrollTo({ top: box.current.scrollHeight }), [text]);
  if (!readAt) return <Notice tone="warning" title={t("settings.logs.never")} />;
  return (
    <>
      {isCurrent ? null : <Notice tone="warning" title={t("settings.logs.old", { time })} className="mb-3" />}
      {text ? (
        <pre
          ref={box}
          // The keyboard scrolls it, too.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          role="region"
          aria-label={t("settings.logs.output")}
          aria-describedby={id}
          className="max-h-96 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          {text}
        </pre>
      ) : (
        <p className="text-sm text-ink-soft">{t("settings.logs.empty")}</p>
      )}
      {isCurrent ? (
        <p id={id} className="mt-2 text-[0.8125rem] text-ink-soft">
          {t("settings.logs.readAt", { time })}
        </p>
      ) : null}
    </>
  );
}
