import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { refusedDownload } from "#contract/workspaces/refused-download.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { ErrorNotice } from "../../ui/notices/error-notice.tsx";
import { t } from "./words.ts";

/** What a new download does not help against. Anything else is a link that no longer works. */
const otherCodes = { too_many_requests: 429, unavailable: 503, internal_error: 500 } as const;
const isOther = (code: string): code is keyof typeof otherCodes => Object.hasOwn(otherCodes, code);

/** Why the link that led here gave no file. The address forgets it, so that a reload does not say it again. */
export function RefusedDownload() {
  const [query, setQuery] = useSearchParams();
  const [error] = useState(() => refusalIn(query));
  const isNamed = query.has(refusedDownload.code);
  useEffect(() => {
    if (!isNamed) return;
    setQuery(
      (now) => {
        for (const name of Object.values(refusedDownload)) now.delete(name);
        return now;
      },
      { replace: true },
    );
  }, [isNamed, setQuery]);
  return error ? <ErrorNotice error={error} title={t("exporting.download.failed")} /> : null;
}

function refusalIn(query: URLSearchParams): ApiError | null {
  const code = query.get(refusedDownload.code);
  if (code === null) return null;
  const requestId = query.get(refusedDownload.requestId);
  const answer = requestId ? { requestId } : {};
  return isOther(code) ? new ApiError(code, otherCodes[code], answer) : new ApiError("download_link_invalid", 410, answer);
}
