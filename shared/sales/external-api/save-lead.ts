import type { Account } from '../../accounts/schema.ts';
import type { RunOnce } from '../../endpoints/run-once.ts';
import { ApiError } from '../../errors.ts';
import type { Effects } from '../../events/envelope.ts';
import { subjectOf } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { CountSlot } from '../../rotations/slots.ts';
import type { Principal } from '../../security/principal.ts';
import type { Authored } from '../../table/revise.ts';
import { nextAssignee, previewAssignee, type readRotations } from '../lead-rotations/assign-lead.ts';
import { changedLead, newLead } from '../leads/change-lead.ts';
import { leadCreated, leadUpdated } from '../leads/events.ts';
import type { Lead } from '../leads/schema.ts';
import { leads } from '../leads/store.ts';
import { findDuplicateLeads } from './find-duplicate-leads.ts';
import type { ExternalLead, SaveResult } from './schema.ts';
import { type ExternalId, type ExternalReference, externalIds, hashesOf } from './store.ts';

/** The request that sends a lead. */
export interface LeadSender extends Authored {
  account: AccountId;
  accountRecord: Pick<Account, 'country'>;
  principal: Pick<Principal, 'actor'> & { id: number };
  runOnce: RunOnce;
  /** Counts the slots of a rotation in a dry run of several leads. */
  previewSlot?: CountSlot;
}

/** The lead that the caller sent earlier with the same external id. */
export interface KnownLead {
  known?: ExternalId;
  lead?: Lead;
}

interface SavedChange extends Effects {
  result: SaveResult;
}

export const leadReference = (
  { account, principal }: Pick<LeadSender, 'account' | 'principal'>,
  externalId: string,
): ExternalReference => ({ account, keyId: principal.id, type: 'lead', externalId });

/** Reads the lead that the caller sent earlier with this external id. */
export async function readKnownLead(reference: ExternalReference): Promise<KnownLead> {
  const known = await externalIds.find(reference);
  return known ? { known, lead: await leads.find(reference.account, Number(known.recordId)) } : {};
}

/** Reads the leads that the caller sent earlier with these external ids, in their order. */
export async function readKnownLeads(
  account: AccountId,
  references: readonly ExternalReference[],
): Promise<KnownLead[]> {
  const known = await externalIds.findMany(references);
  const ids = known.flatMap((one) => (one ? [Number(one.recordId)] : []));
  const found = new Map((await leads.findMany(account, ids)).map((lead) => [lead.id, lead]));
  return known.map((one) => (one ? { known: one, lead: found.get(Number(one.recordId)) } : {}));
}

/**
 * Creates the lead, or changes the fields whose values differ from those that the caller sent last. Other fields keep the
 * values that staff have entered. Throws `id_retired` if the lead was deleted.
 */
export async function saveLead(
  sender: LeadSender,
  sent: ExternalLead,
  { known, lead }: KnownLead,
  rotations: Awaited<ReturnType<typeof readRotations>>,
): Promise<SavedChange> {
  if (!known) return createLead(sender, sent, rotations);
  if (!lead) throw new ApiError('id_retired');
  const { externalId, ...fields } = sent;
  const hashes = hashesOf(fields);
  const changed = Object.entries(fields).filter(([name]) => hashes[name] !== known.sent?.[name]);
  if (changed.length === 0) return { result: 'unchanged', writes: [], events: [] };
  const after = changedLead(lead, Object.fromEntries(changed), sender);
  const record = { ...known, sent: { ...known.sent, ...hashes } };
  return {
    result: after === lead ? 'unchanged' : 'updated',
    writes: [
      ...(after === lead ? [leads.unchanged(lead)] : leads.replace(lead, after)),
      externalIds.replace(leadReference(sender, externalId), record),
    ],
    events: leadUpdated(lead, after),
  };
}

async function createLead(
  sender: LeadSender,
  { externalId, ...fields }: ExternalLead,
  rotations: Awaited<ReturnType<typeof readRotations>>,
): Promise<SavedChange> {
  const { account, principal, previewSlot } = sender;
  const { firstName, lastName, ...details } = fields;
  const filled = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null));
  const duplicates = await findDuplicateLeads(account, fields, sender.accountRecord);
  const { assignedTo, unassigned } = await sender.runOnce(
    () => nextAssignee(undefined, rotations),
    () =>
      previewSlot ? nextAssignee(undefined, rotations, previewSlot) : previewAssignee(undefined, rotations),
  );
  const lead: Lead = {
    ...newLead(sender, { firstName, lastName, ...filled }, assignedTo),
    externalKeyId: principal.id,
    externalId,
    ...(duplicates.length > 0 && { possibleDuplicates: duplicates }),
  };
  const reference = leadReference(sender, externalId);
  return {
    result: 'created',
    writes: [
      ...leads.insert(lead),
      externalIds.insert(reference, { recordId: lead.id, sent: hashesOf(fields) }),
    ],
    events: [
      ...leadCreated(lead, unassigned),
      {
        kind: 'extapi_lead_created',
        subject: subjectOf(leads, lead),
        data: { keyId: principal.id, externalId },
      },
    ],
  };
}
