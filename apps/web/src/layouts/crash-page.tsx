import { useEffect } from "react";
import { isRouteErrorResponse, useRouteError } from "react-router";
import { ApiError } from "../lib/api/api-error.ts";
import { useTellPainted } from "../lib/first-view/first-paint.ts";
import { isChunkError, isServiceThere } from "../lib/faults/chunk-reload.ts";
import { reportFault } from "../lib/faults/report-fault.ts";
import { requestNumber, signInErrorWords } from "../lib/errors/sign-in-errors.ts";
import { documentTitle } from "../lib/page-title.ts";
import { paths } from "../lib/paths.ts";
import { isUserFailure } from "../lib/session/session.ts";
import { useAction } from "../lib/use-action.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { LogoMark } from "../ui/logo.tsx";
import { t } from "../words/frame.ts";
import { NotFoundPage } from "./not-found-page.tsx";

/** Shown for errors that no page and no layout caught: what happened, and how to continue. */
export function CrashPage() {
  useTellPainted();
  return (
    <main id="main" tabIndex={-1} className="grid flex-1 place-items-center px-4 py-16">
      <CrashWithin />
    </main>
  );
}

/** The same inside a layout, which has the page's landmarks already. */
export function CrashWithin() {
  const error = useRouteError();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  useEffect(() => {
    document.title = documentTitle(t(isMissing ? "notFound.page" : "crash.page"));
    if (isMissing) return;
    console.error(error);
    reportFault(error);
  }, [error, isMissing]);
  return <div className="grid place-items-center">{isMissing ? <NotFoundPage /> : <Crash error={error} />}</div>;
}

/** The same on the dark backdrop, where text is on cards. */
export const CrashOnCard = () => (
  <Card className="mx-auto max-w-2xl p-6 sm:p-8">
    <CrashWithin />
  </Card>
);

function Crash({ error }: { error: unknown }) {
  const number = requestNumber(error);
  // Without the service, this page is better than the browser's own error page.
  const leave = useAction(async (go: () => void) => {
    if (await isServiceThere()) go();
  });
  return (
    <div className="max-w-md text-center" role="alert">
      <LogoMark className="mx-auto mb-6 size-12" />
      <h1 className="text-2xl font-semibold">{t("crash.title")}</h1>
      {isUserFailure(error) ? <p className="mt-2">{t("session.notLoaded")}</p> : null}
      <p className="mt-2 text-ink-soft">{explain(error)}</p>
      {number ? <p className="mt-2 font-mono text-xs text-ink-soft">{number}</p> : null}
      <div className="mt-6 flex flex-wrap justify-center gap-2">
        <Button pending={leave.pending} pendingText={t("common.loading")} onClick={() => void leave.run(() => location.reload())}>
          {t("common.reload")}
        </Button>
        <a
          href={paths.home}
          className={buttonClass("plain")}
          onClick={(event) => {
            event.preventDefault();
            void leave.run(() => location.assign(paths.home));
          }}
        >
          {t("notFound.home")}
        </a>
      </div>
    </div>
  );
}

function explain(error: unknown): string {
  if (isChunkError(error)) return t("crash.chunk");
  if (!(error instanceof ApiError)) return t("crash.text");
  const words = signInErrorWords(error);
  return `${words.sentence} ${words.next}`;
}
