import { Component, lazy, Suspense, useState, type ComponentType, type ReactNode } from "react";
import { ApiError } from "../api/api-error.ts";
import { isChunkError, isServiceThere, loadChunk } from "../faults/chunk-reload.ts";
import { reportFault } from "../faults/report-fault.ts";
import { useIsPainted } from "./first-paint.ts";

interface PartFailure {
  error: unknown;
  onRetry: () => void;
}

interface InItsPlace {
  /** Until it is there; by default nothing. */
  waiting?: () => ReactNode;
  /** If it failed; by default nothing. */
  failed?: (failure: PartFailure) => ReactNode;
}

const never = () => Promise.resolve(false);
const nothing = () => null;

/**
 * An optional part of a page, in a separate chunk that is fetched once the page is painted. If the chunk cannot be fetched, or the part
 * fails, the rest of the page stays as it is. Only a user who tries again may get the page reloaded, after a release.
 */
export function latePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting = nothing, failed = nothing }: InItsPlace = {},
): ComponentType<Props> {
  const fetched = (mayReload: () => Promise<boolean>) => lazy(() => loadChunk(async () => ({ default: await load() }), mayReload));
  // One that failed stays failed, so the next attempt needs another.
  let newest = fetched(never);
  return function LatePart(props: Props) {
    const [{ Part, attempt }, setShown] = useState({ Part: newest, attempt: 0 });
    const retry = () => {
      newest = fetched(isServiceThere);
      setShown({ Part: newest, attempt: attempt + 1 });
    };
    if (!useIsPainted()) return waiting();
    return (
      <PartBoundary
        key={attempt}
        onCatch={() => (newest = fetched(never))}
        failed={(error) => failed({ error: isChunkError(error) ? new ApiError("unreachable", 0) : error, onRetry: retry })}
      >
        <Suspense fallback={waiting()}>
          <Part {...props} />
        </Suspense>
      </PartBoundary>
    );
  };
}

interface PartBoundaryProps {
  onCatch: () => void;
  failed: (error: unknown) => ReactNode;
  children: ReactNode;
}

class PartBoundary extends Component<PartBoundaryProps, { caught: { error: unknown } | null }> {
  override state = { caught: null as { error: unknown } | null };

  static getDerivedStateFromError(error: unknown) {
    return { caught: { error } };
  }

  override componentDidCatch(error: unknown) {
    reportFault(error);
    this.props.onCatch();
  }

  override render() {
    const { caught } = this.state;
    return caught ? this.props.failed(caught.error) : this.props.children;
  }
}
