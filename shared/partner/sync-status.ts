import { commit } from '../events/outbox.ts';
import { systemEvent } from '../events/system-event.ts';
import type { AccountId } from '../id/account-id.ts';
import { type PartnerStatus, partnerStatuses } from '../sales/applications/record/partner-schema.ts';
import { applications } from '../sales/applications/store.ts';
import { VersionConflict } from '../table/transact.ts';
import type { Run } from '../work-queue/work-handler.ts';
import { applyStatus } from './apply-status.ts';
import { partnerActor } from './change-application.ts';
import type { PartnerEventData } from './event-schema.ts';

/**
 * Applies the response of `GET {url}/applications/{partnerId}`. Its status counts like the status of an event: only a
 * larger number changes the application. Returns the reason if the response violates the contract.
 */
export async function syncStatus(
  { account, applicationId }: { account: AccountId; applicationId: string },
  response: string,
  { now, deadline }: Run,
): Promise<string | undefined> {
  const data = statusIn(response);
  if (!data) return 'The response of the partner has no valid sequence and status.';
  for (;;) {
    const application = await applications.find(account, applicationId);
    if (!application) return undefined;
    const { writes, events } = await applyStatus(application, data, 'partner_status_synced', now);
    if (writes.length === 0) return undefined;
    const logged = events.map((draft) =>
      systemEvent(draft, { account, now, schedule: 'partner', actor: partnerActor }),
    );
    try {
      await commit({ writes, events: logged, deadline });
      return undefined;
    } catch (error) {
      if (!(error instanceof VersionConflict) || Date.now() >= deadline) throw error;
    }
  }
}

/** Reads the fields that an event `application.status` also has. */
function statusIn(text: string): PartnerEventData | undefined {
  try {
    const { sequence, status, message, mids } = (JSON.parse(text) ?? {}) as Record<string, unknown>;
    if (!Number.isSafeInteger(sequence) || Number(sequence) < 0 || !isStatus(status)) return undefined;
    if (status === 'boarded' && !isMids(mids)) return undefined;
    return {
      sequence: Number(sequence),
      status,
      ...(typeof message === 'string' && { message: message.slice(0, 1000) }),
      ...(isMids(mids) && { mids }),
    };
  } catch {
    return undefined;
  }
}

const isStatus = (value: unknown): value is PartnerStatus => partnerStatuses.some((one) => one === value);

const isMids = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= 10 &&
  value.every((mid) => typeof mid === 'string' && /^[A-Za-z0-9-]{1,32}$/.test(mid));
