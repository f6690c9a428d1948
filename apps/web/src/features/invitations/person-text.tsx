import type { ReactNode } from "react";
import { Avatar } from "../../ui/marks/avatar.tsx";

interface PersonTextProps {
  name: string | null | undefined;
  email: string;
  /** A line below name and address. */
  note?: string | undefined;
  /** Beside the name. */
  marks: ReactNode;
}

/** A person in a list. The workspace's name for them may have any length and direction, so it stays within its own two lines. */
export const PersonText = ({ name, email, note, marks }: PersonTextProps) => (
  <div className="flex min-w-0 flex-1 basis-64 items-center gap-3.5">
    <Avatar name={name ?? email} className="size-9 text-[0.8125rem]" />
    <div className="min-w-0 flex-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="line-clamp-2 font-medium [overflow-wrap:anywhere]">
          <bdi>{name ?? email}</bdi>
        </p>
        {marks}
      </div>
      {name ? <p className="line-clamp-2 text-sm [overflow-wrap:anywhere] text-ink-soft">{email}</p> : null}
      {note ? <p className="text-sm [overflow-wrap:anywhere] text-ink-soft">{note}</p> : null}
    </div>
  </div>
);
