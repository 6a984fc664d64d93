import { endpoint, type Request } from '../../endpoints/endpoint.ts';
import type { Happening, Permission } from '../../resources/registry.ts';
import type { TSchema } from '../../schema.ts';
import { Mail, MailParams, type StoredMail } from '../mails/schema.ts';
import { mails } from '../mails/store.ts';
import { mailRecordTypes } from '../threads/mail-access.ts';
import { type MailToRule, type RuledMail, readMailToRule, requireMayRule } from './rule-on-mail.ts';

/** The permissions with one of which a caller may rule on some mails. */
const mailWriters = [
  'writeMails',
  'writeTickets',
  'writeLeads',
  'writeApplications',
] as const satisfies readonly Permission[];

/** The kinds of events that a ruling can emit. */
const rulingKinds = [
  'no_event_name',
  'ticket_created',
  'lead_created',
  'ticket_comment_added',
  'ticket_updated',
  'ticket_assigned',
  'ticket_status_changed',
] as const;

interface Ruling<B extends TSchema> {
  path: string;
  body: B;
  bodyOptional?: true;
  happenings: readonly [Happening];
  summary: string;
  description: string;
  /** The states of a mail in which the endpoint accepts it. */
  states: readonly StoredMail['state'][];
}

/** Declares an endpoint that moves, releases or quarantines the mail in `{mailId}`. */
export const rulingEndpoint = <B extends TSchema>(
  { states, ...contract }: Ruling<B>,
  rule: (request: Request<{ params: typeof MailParams; body: B }>, found: MailToRule) => Promise<RuledMail>,
) =>
  endpoint({
    ...contract,
    method: 'POST',
    anyPermission: mailWriters,
    reach: mailRecordTypes,
    params: MailParams,
    response: Mail,
    errors: ['mail_not_movable'],
    emits: rulingKinds,
    read: (input) => readMailToRule(input, input.params.mailId),
    decide: async (request, found) => {
      requireMayRule(request.principal, found, states);
      const { after, writes, events } = await rule(request, found);
      return { response: mails.show(after), writes, events };
    },
  });
