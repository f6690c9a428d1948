import { queryOptions, useQuery } from "@tanstack/react-query";
import { Braces } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { WorkspaceVariable } from "#contract/workspaces/variable.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { usePrefetch } from "../../../lib/browser/when-idle.ts";
import { loadPage } from "../../../lib/faults/chunk-reload.ts";
import { useFrontEndConfig } from "../../../lib/front-end-config.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/notices/empty-state.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { Section } from "../../../ui/section.tsx";
import { Skeleton, SkeletonGroup } from "../../../ui/progress/skeleton.tsx";
import { t as workspaceText } from "../../workspace/words.ts";
import { t } from "./words.ts";

const load = () => import("./variables-dialog.tsx");
const VariablesDialog = lazy(() => loadPage(load));

export const variablesQuery = queryOptions({
  queryKey: ["workspace", "variables"],
  queryFn: ({ signal }) => callApi("listVariables", { signal }),
});

/** The environment variables that workflows read; changed in a dialog, because saving restarts the workspace. */
export function VariablesSection({ instance: { engine } }: { instance: Instance }) {
  const { data, error, refetch } = useQuery(variablesQuery);
  usePrefetch(load);
  const [isEditing, setIsEditing] = useState(false);
  const { instanceOperations } = useFrontEndConfig();
  const edit = (words: "variables.first" | "variables.edit") => (
    <Button tone="plain" disabled={!instanceOperations} onClick={() => setIsEditing(true)} className="max-sm:w-full disabled:opacity-60">
      {t(words)}
    </Button>
  );
  return (
    <Section title={t("variables.title")} lead={t(`variables.lead.${engine}`)} flush>
      {data ? (
        <>
          {data.variables.length > 0 ? (
            <>
              <Variables variables={data.variables} />
              <div className="border-t border-line px-5 py-4 sm:px-6">{edit("variables.edit")}</div>
            </>
          ) : (
            <EmptyState icon={<Braces />} title={t("variables.empty")} action={edit("variables.first")}>
              {t("variables.emptyText")}
            </EmptyState>
          )}
          {isEditing ? (
            <Suspense fallback={null}>
              <VariablesDialog saved={data} engine={workspaceText(`workspace.engines.${engine}`)} onClose={() => setIsEditing(false)} />
            </Suspense>
          ) : null}
        </>
      ) : error ? (
        <ErrorNotice error={error} title={t("variables.failed")} onRetry={() => void refetch()} className="m-5 sm:mx-6" />
      ) : (
        <SkeletonGroup label={t("common.loading")} className="p-5 sm:px-6">
          <Skeleton className="h-[196px]" />
        </SkeletonGroup>
      )}
    </Section>
  );
}

function Variables({ variables }: { variables: readonly WorkspaceVariable[] }) {
  return (
    <dl className="divide-y divide-line px-5 sm:px-6">
      {variables.map(({ name, value }) => (
        <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-3 text-sm">
          <dt className="font-mono text-[0.8125rem] font-medium [overflow-wrap:anywhere]">{name}</dt>
          <dd className="max-w-full text-ink-soft [overflow-wrap:anywhere]">{value ?? t("variables.hidden")}</dd>
        </div>
      ))}
    </dl>
  );
}
