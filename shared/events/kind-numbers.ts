import { type EventKind, eventKinds } from './kinds.ts';

/** The kinds that were added after the first numbers were assigned, oldest first. Append each new kind here. */
const addedLater: readonly EventKind[] = [];

const numbered = [...eventKinds.filter((kind) => !addedLater.includes(kind)), ...addedLater];

/** The numbers that represent event kinds in storage. They must never change. A test checks all of them. */
export const kindNumbers = Object.fromEntries(numbered.map((kind, number) => [kind, number])) as Readonly<
  Record<EventKind, number>
>;
