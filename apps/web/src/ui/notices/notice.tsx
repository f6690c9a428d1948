import type { ReactNode } from "react";
import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { NoticeTone } from "../../lib/notices/notices.ts";
import { classNames } from "../class-names.ts";

const looks = {
  info: { icon: Info, box: "bg-accent-soft border-accent/30", mark: "text-accent" },
  success: { icon: CircleCheck, box: "bg-success-soft border-success/30", mark: "text-success" },
  warning: { icon: TriangleAlert, box: "bg-warning-soft border-warning/30", mark: "text-warning" },
  danger: { icon: CircleAlert, box: "bg-danger-soft border-danger/30", mark: "text-danger" },
} satisfies Record<NoticeTone, unknown>;

interface NoticeProps {
  tone: NoticeTone;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}

/** A message within the page; screen readers announce warnings and errors immediately. */
export function Notice({ tone, title, children, action, className }: NoticeProps) {
  const { icon: Icon, box, mark } = looks[tone];
  return (
    <div
      role={tone === "danger" || tone === "warning" ? "alert" : "status"}
      className={classNames("flex gap-3 rounded-lg border p-3.5 text-sm", box, className)}
    >
      <Icon className={classNames("mt-0.5 size-4 shrink-0", mark)} aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-ink [overflow-wrap:anywhere]">{title}</p>
        {children ? <div className="mt-1 text-ink-soft [overflow-wrap:anywhere]">{children}</div> : null}
        {action ? <div className="mt-3 flex flex-wrap gap-2">{action}</div> : null}
      </div>
    </div>
  );
}
