/** Computes the position up to which all records are finished. Records may be finished in any order. */
export interface Progress {
  /**
   * Adds the next record of the stream. The record is finished when all its tasks are done. `writtenAt` is the time at
   * which the record was written, in seconds since 1970.
   */
  read(position: string, tasks: readonly string[], writtenAt?: number): void;
  /** Marks a task as done. Unknown tasks and duplicates are ignored. */
  done(task: string): void;
  /** Marks all tasks of a record as done. */
  finish(position: string): void;
  /** The last position up to which all records are finished. Initially the start position. */
  safe(): string | undefined;
  /** Reports whether all records read so far are finished. */
  idle(): boolean;
  /** The `writtenAt` of the oldest unfinished record. Undefined if all records are finished. */
  waitingSince(): number | undefined;
}

export function progressFrom(start: string | undefined): Progress {
  let safe = start;
  /** `end` is the position of the last record after it that has no tasks. */
  const unfinished: { position: string; end: string; tasks: Set<string>; writtenAt?: number }[] = [];
  const waiting = new Map<string, Set<string>>();

  function advance(): void {
    while (unfinished[0]?.tasks.size === 0) safe = unfinished.shift()?.end;
  }

  return {
    finish(position) {
      unfinished.find((record) => record.position === position)?.tasks.clear();
      advance();
    },
    read(position, tasks, writtenAt) {
      if (tasks.length > 0) {
        const open = new Set(tasks);
        for (const task of open) waiting.set(task, open);
        unfinished.push({ position, end: position, tasks: open, writtenAt });
        return;
      }
      const last = unfinished.at(-1);
      if (last) last.end = position;
      else safe = position;
    },
    done(task) {
      waiting.get(task)?.delete(task);
      waiting.delete(task);
      advance();
    },
    safe: () => safe,
    idle: () => unfinished.length === 0,
    waitingSince: () => unfinished[0]?.writtenAt,
  };
}
