import type { ReactNode } from "react";
import { ApiError } from "../../lib/api/api-error.ts";
import { errorWords } from "../../lib/errors/error-words.ts";
import { Notice } from "./notice.tsx";

/** A mailed link did not work: why, and in `children` what to do instead. */
export function RefusedLink({ error, title, children }: { error: ApiError; title: string; children: ReactNode }) {
  // To a person, an empty or overlong token is just a link that does not work.
  const words = errorWords(error.code === "validation_failed" ? new ApiError("link_invalid", 400) : error);
  return (
    <>
      <h1 className="mb-5 text-2xl font-semibold">{title}</h1>
      <Notice tone="danger" title={words.sentence}>
        {words.next}
      </Notice>
      <div className="mt-6">{children}</div>
    </>
  );
}
