import { hidesSomeOf, parentOfEvent, subjectsWithReach } from '../endpoints/parent-records.ts';
import { notFound } from '../errors.ts';
import type { Event } from '../events/envelope.ts';
import type { SignedIn } from '../security/principal.ts';
import { hidesSome, isReachedType } from '../security/reach.ts';
import type { BodyPart } from './stored-bodies.ts';

/**
 * Throws `not_found` if a body may name records that are hidden from the caller: the request was about several records. The
 * path of a request about one record contains its id, except that a conversion also returns the application.
 */
export function requireBodyOfRecord(
  principal: SignedIn,
  { event, part }: { event: Pick<Event, 'id' | 'kind' | 'subject' | 'request'>; part: BodyPart },
): void {
  const { type, id } = parentOfEvent(event);
  const isNamed = event.kind !== 'lead_converted' && event.request.path.split('/').includes(String(id));
  if (isReachedType(type) && !isNamed && hidesSomeOf(principal, subjectsWithReach))
    throw notFound(`${part} body of the event`, event.id);
}

/** Returns the text of a body without the ids of possible duplicates, if some leads are hidden from the caller. */
export const bodyShownTo = (principal: SignedIn, body: string): string =>
  hidesSome(principal, 'lead') ? body.replaceAll(/("possibleDuplicates":\[)[\d,]*/g, '$1') : body;
