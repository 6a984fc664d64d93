import { type EmittedKind, eventCatalogue, type SubjectType } from './catalogue.ts';
import { type EventKind, eventKinds } from './kinds.ts';

const entries = eventKinds.map((kind): [EventKind, readonly SubjectType[]] => [
  kind,
  eventCatalogue[kind].subjects,
]);

/** The subject types of each kind. The build inlines this map as a literal, so bundles do not contain the catalogue. */
export const subjectTypes = Object.fromEntries(entries) as Readonly<
  Record<EventKind, readonly SubjectType[]>
>;

/** The kinds that the service emits. */
export const emittedKinds = eventKinds.filter(
  (kind): kind is EmittedKind => eventCatalogue[kind].schema !== undefined,
);
