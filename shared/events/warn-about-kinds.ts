import { emittedKinds } from '../resources/derived.ts';
import type { EventKind } from '../resources/registry.ts';
import { array, object, optional, string } from '../schema.ts';
import { EventKindField } from './schema.ts';

export const KindWarning = object({
  event: EventKindField,
  message: string({
    description: 'Why the kind has no effect.',
    examples: ['No event of this kind occurs yet.'],
  }),
});

export const kindWarnings = optional(
  array(KindWarning, {
    description:
      'The event kinds in the request that do not occur yet, without duplicates; see GET /event-kinds. Absent if all kinds occur.',
  }),
);

const emitted: ReadonlySet<EventKind> = new Set(emittedKinds);

/** Returns the response field `warnings`, which lists the requested kinds that are accepted but not emitted yet. */
export function warningsAbout(kinds: readonly EventKind[]) {
  const unused = [...new Set(kinds)].filter((kind) => !emitted.has(kind));
  const message = 'No event of this kind occurs yet. GET /event-kinds lists the kinds that occur.';
  return unused.length > 0 ? { warnings: unused.map((event) => ({ event, message })) } : {};
}
