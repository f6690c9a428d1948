import { Button } from "../button.tsx";
import { Notice } from "./notice.tsx";

interface ChangedElsewhereProps {
  title: string;
  lead: string;
  /** What is saved now, one line each. */
  current: readonly string[];
  keep: { label: string; run: () => void };
  take: { label: string; run: () => void };
}

/** What a form shows was changed in another tab while it was being filled in: its user decides what to keep, and loses nothing that was typed. */
export function ChangedElsewhere({ title, lead, current, keep, take }: ChangedElsewhereProps) {
  return (
    <Notice
      tone="warning"
      title={title}
      action={
        <>
          <Button tone="plain" onClick={keep.run}>
            {keep.label}
          </Button>
          <Button tone="quiet" onClick={take.run}>
            {take.label}
          </Button>
        </>
      }
    >
      <p>{lead}</p>
      <ul className="mt-1 list-disc pl-5">
        {current.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Notice>
  );
}
