import type { ReactNode } from "react";

/** Shown while there is no content yet: why, and how to get some. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center px-6 py-10 text-center">
      <div className="mb-3 grid size-11 place-items-center rounded-full bg-accent-soft text-accent [&>svg]:size-5" aria-hidden="true">
        {icon}
      </div>
      <p className="font-semibold">{title}</p>
      {children ? <p className="mt-1 max-w-sm text-sm text-ink-soft">{children}</p> : null}
      {action ? <div className="mt-4">{action}</div> : null}
    </div>
  );
}
