import { accountPolicy } from '../../accounts/policy-of.ts';
import type { StoredAccount } from '../../accounts/schema.ts';
import type { StoredDocument } from '../../documents/schema.ts';
import { ticketDocuments } from '../../documents/store.ts';
import { type RunOnce, runEachTime } from '../../endpoints/run-once.ts';
import { ApiError } from '../../errors.ts';
import { systemActor } from '../../events/system-event.ts';
import type { AccountId } from '../../id/account-id.ts';
import { derivedId } from '../../id/mint.ts';
import { allPermissions } from '../../resources/derived.ts';
import { previewSlots } from '../../rotations/slots.ts';
import { nextAssignee, previewAssignee, readRotations } from '../../sales/lead-rotations/assign-lead.ts';
import { newLead } from '../../sales/leads/change-lead.ts';
import { leadCreated } from '../../sales/leads/events.ts';
import type { LeadInput } from '../../sales/leads/schema.ts';
import { leads } from '../../sales/leads/store.ts';
import type { SignedIn } from '../../security/principal.ts';
import { ticketCreated } from '../../support/tickets/events.ts';
import { newTicket, readReferences, takeNumberAndTurn } from '../../support/tickets/new-ticket.ts';
import type { TicketInput } from '../../support/tickets/schema.ts';
import { tickets } from '../../support/tickets/store.ts';
import { firstCharacters } from '../../table/cut-text.ts';
import type { StoredMailAddress } from '../addresses/schema.ts';
import type { StoredMail } from '../mails/schema.ts';
import type { ThreadRecord } from '../threads/thread-record.ts';
import type { RecordEffects } from './add-to-ticket.ts';
import { withoutText } from './record-of-mail.ts';
import { documentEvents } from './store-attachments.ts';

/** Received mails as a caller. They may create tickets of every type. */
const mailAsCaller = (account: AccountId): SignedIn => ({
  kind: 'key',
  id: 0,
  home: account,
  log: account,
  actor: systemActor,
  administrator: false,
  permissions: new Set(allPermissions),
});

/** The fields of a mail that a new record contains. */
type OpeningMail = Pick<StoredMail, 'from' | 'subject' | 'text' | 'id' | 'leftOut'>;

interface OpeningContext {
  accountRecord: StoredAccount;
  address: Pick<StoredMailAddress, 'purpose' | 'ticketTypeId' | 'teamId'>;
  /** The time of the mail's receipt, at which the SLA clock starts. */
  now: Date;
  /** The id of the new record; see `idOfOpened`. */
  id: number;
  documents?: readonly StoredDocument[];
  /** Default: the rotation advances with each attempt. */
  runOnce?: RunOnce;
}

/** A new record, and sentences about settings of the address that did not apply. */
interface OpenedRecord extends RecordEffects {
  opened: ThreadRecord;
  remarks: string[];
}

/** The id of the record that a mail opens. A repeated attempt creates the same id, unless `salt` differs. */
export const idOfOpened = (mail: Pick<StoredMail, 'id'>, receivedAt: Date, salt: number): number =>
  derivedId(receivedAt, `${mail.id} opens ${salt}`);

/** Opens a ticket or a lead for a mail, as its address requires. */
export const openRecord = (mail: OpeningMail, context: OpeningContext): Promise<OpenedRecord> =>
  context.address.purpose === 'tickets' ? openTicket(mail, context) : openLead(mail, context);

/** The longest texts of a new record. */
const [longestSubject, longestText, longestName] = [255, 65_000, 200];
const defaultCategory = 'general_support';

async function openTicket(mail: OpeningMail, context: OpeningContext): Promise<OpenedRecord> {
  const { ticketTypeId, teamId } = context.address;
  const { address, name } = mail.from;
  const uncategorized: TicketInput = {
    subject: firstCharacters(mail.subject, longestSubject).trim() || '(no subject)',
    description: firstCharacters(mail.text, longestText).trim() || withoutText(mail),
    source: 'email',
    requesterType: 'external',
    requesterId: address,
    requesterName: name ?? address,
    requesterEmail: address,
  };
  const plain: TicketInput = { ...uncategorized, category: defaultCategory };
  if (ticketTypeId === undefined && teamId === undefined) return ticketOf(plain, context, []);
  try {
    const typed = ticketTypeId === undefined ? plain : { ...uncategorized, ticketTypeId };
    return await ticketOf({ ...typed, assignedTeamId: teamId }, context, []);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'busy') throw error;
    const details = error.details?.map(({ field, message }) => `${field} ${message}`).join('; ');
    const remark = `The ticket type and the team of the address were not used: ${details ?? error.message}`;
    return ticketOf(plain, context, [firstCharacters(remark, 900)]);
  }
}

async function ticketOf(
  body: TicketInput,
  { accountRecord, now, id, documents = [], runOnce = runEachTime }: OpeningContext,
  remarks: string[],
): Promise<OpenedRecord> {
  const account = accountRecord.id;
  const request = { account, principal: mailAsCaller(account), now, body };
  const references = await readReferences(account, body);
  const read = await references.forCaller(request.principal);
  const { draft } = newTicket(request, references, read, accountPolicy(accountRecord));
  const taken = await runOnce(
    () => takeNumberAndTurn(request, references),
    () => takeNumberAndTurn(request, references, previewSlots()),
  );
  const ticket = { ...draft.ticket, ...taken, id, attachmentCount: documents.length };
  const children = ticketDocuments.insertFirst(documents);
  return {
    opened: { recordType: 'ticket', record: ticket },
    remarks,
    writes: [...tickets.insert({ ...draft, ticket, childTotals: children.totals }), ...children.writes],
    events: [...ticketCreated(ticket), ...documentEvents(documents)],
  };
}

async function openLead(
  mail: OpeningMail,
  { accountRecord, address, now, id, runOnce = runEachTime }: OpeningContext,
): Promise<OpenedRecord> {
  const account = accountRecord.id;
  const { teamId } = address;
  const body: LeadInput = {
    ...namesOf(mail.from),
    email: mail.from.address,
    source: 'Email',
    notes: firstCharacters(`${mail.subject}\n\n${mail.text}`.trim(), longestText),
    ...(teamId !== undefined && { teamId }),
  };
  const rotations = await readRotations(account);
  const { assignedTo, unassigned } = await runOnce(
    () => nextAssignee(teamId, rotations),
    () => previewAssignee(teamId, rotations),
  );
  const request = { account, principal: mailAsCaller(account), now };
  const lead = { ...newLead(request, body, assignedTo), id };
  return {
    opened: { recordType: 'lead', record: lead },
    remarks: [],
    writes: leads.insert(lead),
    events: leadCreated(lead, unassigned),
  };
}

/** The names of a lead. Without a name, the parts of the address are used. */
function namesOf({ address, name }: OpeningMail['from']): Pick<LeadInput, 'firstName' | 'lastName'> {
  const [first = '', ...others] = (name ?? address.replace('@', ' '))
    .split(' ')
    .filter((word) => word !== '');
  const [local = '', domain = ''] = address.split('@');
  return {
    firstName: firstCharacters(first || local, longestName),
    lastName: firstCharacters(others.join(' ') || domain || local, longestName),
  };
}
