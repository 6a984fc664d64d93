/**
 * How far reading has come, and apart from it how far the work has: records finish in any order, and only a
 * position that leaves no unfinished record behind may be written down.
 */
export interface Progress {
  /** A record was read; it is finished when each of its tasks is. Positions come in the order of the stream. */
  read(position: string, tasks: readonly string[]): void;
  /** A task is done. Tasks that nobody waits for are ignored, so a duplicate does no harm. */
  done(task: string): void;
  /** Whatever else a record waits for no longer matters. */
  finish(position: string): void;
  /** The last position with everything up to it finished, or where it started. */
  safe(): string | undefined;
  /** Whether everything read so far is finished. */
  idle(): boolean;
}

export function progressFrom(start: string | undefined): Progress {
  let safe = start;
  const unfinished: { position: string; tasks: Set<string> }[] = [];
  const waiting = new Map<string, Set<string>>();

  function advance(): void {
    while (unfinished[0]?.tasks.size === 0) safe = unfinished.shift()?.position;
  }

  return {
    finish(position) {
      unfinished.find((record) => record.position === position)?.tasks.clear();
      advance();
    },
    read(position, tasks) {
      const open = new Set(tasks);
      for (const task of open) waiting.set(task, open);
      unfinished.push({ position, tasks: open });
      advance();
    },
    done(task) {
      waiting.get(task)?.delete(task);
      waiting.delete(task);
      advance();
    },
    safe: () => safe,
    idle: () => unfinished.length === 0,
  };
}
