import { commitInLanes, untilCommitted } from '../../endpoints/commit-in-lanes.ts';
import type { CommitsParts } from '../../endpoints/commits-parts.ts';
import { InvalidElement } from '../../endpoints/validation.ts';
import { invalid } from '../../errors.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { previewSlots } from '../../rotations/slots.ts';
import { firstCharacters } from '../../table/cut-text.ts';
import type { readRotations } from '../lead-rotations/assign-lead.ts';
import {
  type KnownLead,
  type LeadSender,
  leadReference,
  readKnownLead,
  readKnownLeads,
  saveLead,
} from './save-lead.ts';
import {
  type ExternalLead,
  type ExternalLeadBatch,
  type ExternalLeadResult,
  type ExternalLeadResults,
  type LeadError,
  leadErrors,
} from './schema.ts';

type BatchSender = CommitsParts & Omit<LeadSender, 'runOnce'> & { deadline: number };
/** The leads of a batch. The pipeline replaced invalid ones. */
type SentLead = ExternalLead | InvalidElement;
type Rotations = Awaited<ReturnType<typeof readRotations>>;

/** Throws `invalid_input` if an external id occurs twice, because the order of its two changes would be undefined. */
export function requireDistinct({ leads }: ExternalLeadBatch): void {
  const known = new Set<string>();
  for (const [index, lead] of (leads as readonly SentLead[]).entries()) {
    if (lead instanceof InvalidElement) continue;
    const { externalId } = lead;
    if (known.has(externalId)) throw invalid(`leads[${index}].externalId`, 'must not be repeated');
    known.add(externalId);
  }
}

/** Returns the external id as the response shows it. */
function externalIdOf(lead: SentLead): string {
  if (!(lead instanceof InvalidElement)) return lead.externalId;
  const { externalId } = Object(lead.given) as { externalId?: unknown };
  return typeof externalId === 'string' ? firstCharacters(externalId, 128) : '';
}

/**
 * Saves each lead in a transaction of its own, so that a failure does not affect the other leads. A repeated batch finds
 * the external ids that the first one wrote, and changes nothing.
 */
export async function saveLeads(
  sender: BatchSender,
  { leads }: ExternalLeadBatch,
  rotations: Rotations,
): Promise<{ response: ExternalLeadResults; events: EventDraft[] }> {
  const all: readonly SentLead[] = leads;
  const sent = all.filter((lead): lead is ExternalLead => !(lead instanceof InvalidElement));
  const references = sent.map(({ externalId }) => leadReference(sender, externalId));
  const known = await readKnownLeads(sender.account, references);
  const previewSlot = previewSlots();
  const saved = await commitInLanes<ExternalLead, ExternalLeadResult>(sent, sender.deadline, {
    late: ({ externalId }) => failed(externalId, 'out_of_time'),
    run: (lead, index, shards) =>
      saveUntilDone(
        { ...sender, ...sender.newPart(), previewSlot },
        lead,
        known[index] ?? {},
        rotations,
        shards,
      ),
  });
  const savedInOrder = saved.values();
  const results = all.map((lead): ExternalLeadResult => {
    if (lead instanceof InvalidElement)
      return { ...failed(externalIdOf(lead), 'invalid_input'), details: [...lead.faults] };
    return savedInOrder.next().value ?? failed(lead.externalId, 'internal_error');
  });
  const count = (wanted: ExternalLeadResult['result']) =>
    results.filter(({ result }) => result === wanted).length;
  const counts = { created: count('created'), updated: count('updated'), failed: count('failed') };
  return {
    response: { ...counts, unchanged: count('unchanged'), results },
    events:
      counts.created + counts.updated === 0
        ? []
        : [
            {
              kind: 'extapi_lead_batch_submitted',
              subject: { type: 'account', id: sender.account },
              data: { keyId: sender.principal.id, ...counts },
            },
          ],
  };
}

async function saveUntilDone(
  sender: BatchSender & LeadSender,
  lead: ExternalLead,
  first: KnownLead,
  rotations: Rotations,
  shards: readonly number[],
): Promise<ExternalLeadResult> {
  const { externalId } = lead;
  let known: KnownLead | undefined = first;
  try {
    return await untilCommitted(sender.deadline, shards, async (options) => {
      known ??= await readKnownLead(leadReference(sender, externalId));
      const { result, writes, events } = await saveLead(sender, lead, known, rotations);
      known = undefined;
      if (writes.length > 0) await sender.commit(writes, events, options);
      return { externalId, result, error: null };
    });
  } catch (error) {
    const code = sender.errorOf(error);
    return failed(externalId, leadErrors.find((one) => one === code) ?? 'internal_error');
  }
}

const failed = (externalId: string, error: LeadError): ExternalLeadResult => ({
  externalId,
  result: 'failed',
  error,
});
