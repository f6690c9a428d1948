import { useQueryClient } from "@tanstack/react-query";
import type { RefObject } from "react";
import type { ProblemCode } from "#contract/api/problem.ts";
import { hasCode } from "../../lib/api/api-error.ts";
import { notify } from "../../lib/notices/notices.ts";
import { useAction, type Action } from "../../lib/use-action.ts";
import { focusCard } from "../../ui/focus-card.ts";
import { backupsQuery } from "./backups-query.ts";

interface Removal {
  call: () => Promise<unknown>;
  /** The refusal that says that there is none any more. */
  goneCode: ProblemCode;
  /** What is said afterwards. */
  done: () => string;
}

/** Deletes what a row shows; the focus then stays in its list. */
export function useRemoval(row: RefObject<HTMLLIElement | null>, { call, goneCode, done }: Removal): Action<void> {
  const queries = useQueryClient();
  return useAction(async () => {
    const focusList = focusCard(row.current);
    try {
      await call();
    } catch (error) {
      // Deleted in another tab, or expired: what was wanted has happened.
      if (!hasCode(error, goneCode)) throw error;
    }
    notify("success", done());
    await queries.invalidateQueries({ queryKey: backupsQuery.queryKey });
    focusList();
  });
}
