import { type EmittedKind, eventCatalogue, type SubjectType } from './catalogue.ts';
import { type EventKind, eventKinds } from './kinds.ts';

const entries = eventKinds.map((kind): [EventKind, readonly SubjectType[]] => [
  kind,
  eventCatalogue[kind].subjects,
]);

/** What the events of each kind can be about. Bundles have it as a literal, without the catalogue behind it. */
export const subjectTypes = Object.fromEntries(entries) as Readonly<
  Record<EventKind, readonly SubjectType[]>
>;

/** The kinds that something emits, in the catalogue's order. */
export const emittedKinds = eventKinds.filter(
  (kind): kind is EmittedKind => eventCatalogue[kind].schema !== undefined,
);
