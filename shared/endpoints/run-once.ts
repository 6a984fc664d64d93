/**
 * Runs a side effect that no transaction takes back, such as taking the slot of a rotation, exactly once, however often a version
 * conflict makes the endpoint decide again. Call it after every check that can refuse the request, at most once in a decision.
 * A dry run runs `preview` instead, which takes nothing. An endpoint without dry runs needs no preview.
 */
export type RunOnce = <T>(take: () => Promise<T>, preview?: () => T | Promise<T>) => Promise<T>;

/** A `RunOnce` for one request, or for one part of a bulk. `check` runs before the side effect and throws to prevent it. */
export function runOnceAfter(check: () => Promise<void> = async () => {}): RunOnce {
  let taking: Promise<unknown> | undefined;
  return <T>(take: () => Promise<T>) => {
    taking ??= check().then(take);
    return taking as Promise<T>;
  };
}

/** The `RunOnce` of a dry run: takes nothing. */
export const previewOnly: RunOnce = async (_, preview) => {
  if (!preview) throw new Error('A side effect of an endpoint that has dry runs needs a preview.');
  return preview();
};
