import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { Braces, Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { WorkspaceVariable } from "#contract/workspaces/variable.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { hasCode } from "../../../lib/api/api-error.ts";
import { usePrefetch } from "../../../lib/first-view/when-idle.ts";
import { loadPage } from "../../../lib/faults/load-page.ts";
import { useFrontEndConfig } from "../../../lib/front-end-config.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/notices/empty-state.tsx";
import { ErrorNotice } from "../../../ui/notices/error-notice.tsx";
import { Section } from "../../../ui/section.tsx";
import { Skeleton, SkeletonGroup } from "../../../ui/progress/skeleton.tsx";
import { t as workspaceText } from "../../workspace/words.ts";
import { PasswordFirst } from "../password-first/password-first.tsx";
import type { FirstStep } from "./use-variables.ts";
import { LineButtons, VariableLine } from "./variable-line.tsx";
import { t } from "./words.ts";

const load = () => import("./variables-editor.tsx");
const VariablesEditor = lazy(() => loadPage(load));

/** If optional, it does not ask for a password: n8n's editor links to the page, and its session may not read them without. */
const readVariables = (isOptional: boolean) =>
  queryOptions({
    queryKey: ["workspace", "variables"],
    queryFn: ({ signal }) => callApi("listVariables", { signal, isOptional }),
  });

/** The environment variables that workflows read, edited in their list. `onUnsaved` is told whether something is not saved yet. */
export function VariablesSection({ instance: { engine }, onUnsaved }: { instance: Instance; onUnsaved: (isUnsaved: boolean) => void }) {
  const queries = useQueryClient();
  const { data, error } = useQuery(readVariables(true));
  const readAgain = () => void queries.fetchQuery({ ...readVariables(false), staleTime: 0 }).catch(() => {});
  usePrefetch(load);
  const [steps, setSteps] = useState<readonly FirstStep[]>([]);
  const list = data ? <Variables variables={data.variables} onStep={(step) => setSteps((before) => [...before, step])} /> : null;
  return (
    <Section title={t("variables.title")} lead={t(`variables.lead.${engine}`)} anchor="variables" flush>
      {data && steps.length > 0 ? (
        <Suspense fallback={list}>
          <VariablesEditor saved={data} steps={steps} engine={workspaceText(`workspace.engines.${engine}`)} onUnsaved={onUnsaved} />
        </Suspense>
      ) : data ? (
        list
      ) : hasCode(error, "password_needed") ? (
        <PasswordFirst onEnter={readAgain} />
      ) : error ? (
        <ErrorNotice error={error} title={t("variables.failed")} onRetry={readAgain} className="m-5 sm:mx-6" />
      ) : (
        <SkeletonGroup label={t("common.loading")} className="p-5 sm:px-6">
          <Skeleton className="h-[196px]" />
        </SkeletonGroup>
      )}
    </Section>
  );
}

/** What is saved, until the first step of editing it. */
function Variables({ variables, onStep }: { variables: readonly WorkspaceVariable[]; onStep: (step: FirstStep) => void }) {
  const { instanceOperations } = useFrontEndConfig();
  const add = (words: "variables.first" | "variables.add") => (
    <Button tone="plain" disabled={!instanceOperations} onClick={() => onStep({ do: "add" })} className="max-sm:w-full disabled:opacity-60">
      <Plus className="size-4" aria-hidden="true" />
      {t(words)}
    </Button>
  );
  if (variables.length === 0) {
    return (
      <EmptyState icon={<Braces />} title={t("variables.empty")} action={add("variables.first")}>
        {t("variables.emptyText")}
      </EmptyState>
    );
  }
  return (
    <>
      <ul className="divide-y divide-line px-5 sm:px-6">
        {variables.map(({ name, value }) => (
          <li key={name}>
            <VariableLine name={name} value={value}>
              <LineButtons
                name={name}
                disabled={!instanceOperations}
                onEdit={() => onStep({ do: "edit", name })}
                onRemove={() => onStep({ do: "remove", name })}
              />
            </VariableLine>
          </li>
        ))}
      </ul>
      <div className="border-t border-line px-5 py-4 sm:px-6">{add("variables.add")}</div>
    </>
  );
}
