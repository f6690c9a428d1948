import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import type { RouteAnswer } from "#contract/api/route.ts";
import { callApi } from "../../lib/api/api-client.ts";
import type { Routes } from "../../lib/api/calls.ts";
import { moment } from "../../lib/formats.ts";
import { paths } from "../../lib/paths.ts";
import { refreshUser, useMaybeUser } from "../../lib/session/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Loaded } from "../../ui/notices/loaded.tsx";
import { Section } from "../../ui/section.tsx";
import { TypedNameForm } from "../workspace/typed-name-form.tsx";
import { closingQuery } from "./closing-query.ts";
import { t } from "../suspension/words.ts";

type Blocker = RouteAnswer<Routes["getClosing"]>["blockers"][number];

/** What closing the account does, what stands in its way, and the button that does it. */
export function CloseSection() {
  const query = useQuery(closingQuery);
  return (
    <Loaded query={query} failed={t("closing.notLoaded")} lines={6}>
      {(data) => <Closable {...data} />}
    </Loaded>
  );
}

function Closable({ blockers, days }: RouteAnswer<Routes["getClosing"]>) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      {blockers.length > 0 ? <Blockers blockers={blockers} /> : null}
      <Section title={t("closing.page")} className="border-danger/50!">
        <div className="grid gap-y-5">
          <Effects title={t("closing.now.title")}>
            {[t("closing.now.workspace"), t("closing.now.people"), t("closing.now.sessions")]}
          </Effects>
          <Effects title={t("closing.until.title", { days })}>{[t("closing.until.reopen"), t("closing.until.data")]}</Effects>
          <Effects title={t("closing.later.title", { days })}>
            {[t("closing.later.data"), t("closing.later.documents"), t("closing.later.name")]}
          </Effects>
        </div>
        {blockers.length === 0 ? (
          <Button tone="danger" onClick={() => setIsAsking(true)} className="mt-5 max-sm:w-full">
            {t("closing.action")}
          </Button>
        ) : null}
        {isAsking ? <CloseDialog days={days} onClose={() => setIsAsking(false)} /> : null}
      </Section>
    </>
  );
}

const Effects = ({ title, children }: { title: string; children: readonly string[] }) => (
  <div>
    <h3 className="text-sm font-medium">{title}</h3>
    <ul className="mt-1.5 list-disc space-y-1 pl-5 text-sm text-ink-soft">
      {children.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  </div>
);

function Blockers({ blockers }: { blockers: readonly Blocker[] }) {
  const hasBilling = Boolean(useMaybeUser()?.account.billing);
  return (
    <Section title={t("closing.blocked.title")}>
      <ul className="list-disc space-y-2 pl-5 text-sm">
        {blockers.map((blocker) => (
          <li key={blocker.kind}>{sayBlocker(blocker)}</li>
        ))}
      </ul>
      {hasBilling ? (
        <Link to={paths.billing} className="link mt-4 inline-block text-sm font-medium">
          {t("closing.blocked.billing")}
        </Link>
      ) : null}
    </Section>
  );
}

function sayBlocker({ kind, until }: Blocker): string {
  const day = until ? moment.format(new Date(until)) : "";
  if (kind === "subscription" && until) return t("closing.blocked.subscriptionUntil", { day });
  if (kind === "checkout") return until ? t("closing.blocked.checkout", { day }) : t("closing.blocked.checkoutOver");
  return t(`closing.blocked.${kind}`);
}

/** Typing the account's name closes it; the password is asked for on top, unless it was typed recently. */
function CloseDialog({ days, onClose }: { days: number; onClose: () => void }) {
  const name = useMaybeUser()?.username ?? "";
  const close = useAction(async (accountName: string) => {
    await callApi("closeAccount", { body: { accountName } });
    await refreshUser();
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("closing.dialogTitle")}
      description={t("closing.dialogLead", { name, days })}
      closeLabel={t("common.close")}
    >
      <TypedNameForm
        action={close}
        label={(typed) => t("closing.typeName", { name: typed })}
        failed={t("closing.failed")}
        confirm={t("closing.action")}
        pending={t("closing.closing")}
      />
    </Dialog>
  );
}
