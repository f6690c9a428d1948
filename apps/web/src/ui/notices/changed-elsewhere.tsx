import { Button } from "../button.tsx";
import { Notice } from "./notice.tsx";

interface ChangedElsewhereProps {
  title: string;
  lead: string;
  /** The current values, one line each. */
  current: readonly string[];
  keep: { label: string; run: () => void };
  take: { label: string; run: () => void };
}

/** The values in a form were changed in another tab: the user decides which to keep, and loses nothing typed. */
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
