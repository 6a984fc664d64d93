import type { Effects } from '../events/envelope.ts';
import { subjectOf } from '../events/subject.ts';
import { externalStatusChanged } from '../sales/applications/external-status.ts';
import type { PartnerState } from '../sales/applications/record/partner-schema.ts';
import type { StoredApplication } from '../sales/applications/record/stored-application.ts';
import { applications } from '../sales/applications/store.ts';
import { isToBoard } from '../sales/external-api/board-application.ts';
import { authoredBy, revise } from '../table/revise.ts';
import { boardMids } from './board-mids.ts';
import { partnerActor } from './change-application.ts';
import type { PartnerEventData } from './event-schema.ts';

/** Changes the partner state of an application, as the partner. */
export function withPartner(application: StoredApplication, partner: PartnerState, now: Date) {
  const admin = { ...application.admin, partner };
  const after = revise(application, { admin }, authoredBy(partnerActor.user, now));
  return { after, writes: applications.replace(application, after) };
}

/**
 * Applies a status of the partner, and creates the MIDs of a boarded merchant. A status whose number is not above the
 * stored number is late, and changes nothing.
 */
export async function applyStatus(
  application: StoredApplication,
  { status, sequence = 0, message, mids: numbers = [] }: PartnerEventData,
  kind: 'partner_status_updated' | 'partner_status_synced',
  now: Date,
): Promise<Effects> {
  const { partner } = application.admin;
  if (!partner || !status || (partner.sequence !== undefined && sequence <= partner.sequence))
    return { writes: [], events: [] };
  const { message: _, ...kept } = partner;
  const at = now.toISOString();
  const boarded = status === 'boarded' ? await boardMids(application, numbers, now) : undefined;
  const state: PartnerState = {
    ...kept,
    status,
    sequence,
    statusAt: at,
    lastEventAt: at,
    ...(message !== undefined && { message }),
    ...(boarded && { mids: [...new Set([...(partner.mids ?? []), ...boarded.mids])] }),
  };
  const isFirst = boarded !== undefined && isToBoard(application);
  const admin = { ...application.admin, ...(isFirst && { boardedAt: at }) };
  const { after, writes } = withPartner({ ...application, admin }, state, now);
  return {
    writes: [...writes, ...(boarded?.writes ?? [])],
    events: [
      {
        kind,
        subject: subjectOf(applications, after),
        data: { from: partner.status, to: status, sequence },
      },
      ...(boarded?.events ?? []),
      ...(isFirst ? externalStatusChanged(after, 'boarded') : []),
    ],
  };
}
