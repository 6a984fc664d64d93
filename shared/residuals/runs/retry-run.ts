import type { AttemptRun } from '../../work-queue/work-handler.ts';
import type { RunContent } from './create-run.ts';

/** After this many failures in a row at the same place, a job of a run ends. That is after about 15 minutes. */
const mostFailures = 5;
/** The wait in milliseconds after the first failure. It doubles with each further one. */
const failureDelay = 60_000;

/** Returns the next attempt after a failure at the place `next`. Undefined after the last attempt. */
export function retryRun(
  content: RunContent,
  next: number,
  { now }: AttemptRun,
): { content: RunContent; again: Date } | undefined {
  const failures = next === content.next ? (content.failures ?? 0) + 1 : 1;
  if (failures === mostFailures) return undefined;
  const again = new Date(now.getTime() + failureDelay * 2 ** (failures - 1));
  return { content: { ...content, next, failures }, again };
}
