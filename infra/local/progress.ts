/** Finds the checkpoint: the position up to which all records are finished. Records may finish in any order. */
export interface Progress {
  /** Adds the next record of the stream. The record is finished when all its tasks are done. */
  read(position: string, tasks: readonly string[]): void;
  /** Marks a task as done. Unknown tasks and duplicates are ignored. */
  done(task: string): void;
  /** Marks all tasks of a record as done. */
  finish(position: string): void;
  /** The last position up to which all records are finished. Initially the start position. */
  safe(): string | undefined;
  /** Reports whether all records read so far are finished. */
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
