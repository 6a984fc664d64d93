/**
 * Runs a side effect that no transaction can undo, such as advancing a rotation. The effect runs exactly
 * once, even if a version conflict makes the endpoint decide again. Call this function after every check that
 * can reject the request, and at most once per decision. Dry runs call `preview` instead. Endpoints without
 * dry runs need no preview.
 */
export type RunOnce = <T>(take: () => Promise<T>, preview?: () => T | Promise<T>) => Promise<T>;

/**
 * Returns a function that returns the `RunOnce` of each decision of a request, or of one part of a bulk request. The
 * effect runs in the first of these decisions. `check` runs before the effect. If `check` throws, the effect does not
 * run.
 */
export function runsOnce(): (check?: () => Promise<void>) => RunOnce {
  let taking: Promise<unknown> | undefined;
  return (check = async () => {}) =>
    <T>(take: () => Promise<T>) => {
      taking ??= check().then(take);
      return taking as Promise<T>;
    };
}

/** The `RunOnce` of a dry run. */
export const previewOnly: RunOnce = async (_, preview) => {
  if (!preview) throw new Error('An endpoint with dry runs must pass a preview.');
  return preview();
};

/** The `RunOnce` outside of requests: the effect runs at every decision. */
export const runEachTime: RunOnce = (take) => take();
