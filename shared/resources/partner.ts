import { array, boolean, integer, object, oneOf, optional, recordId, string } from '../schema.ts';
import { area, event, eventGroup, happening, happeningsOf } from './declare.ts';
import { because, changedText, did, noticeOf, rotatedText } from './text.ts';

const status = ['received', 'in_review', 'needs_information', 'approved', 'declined', 'boarded'] as const;
const statusChange = object({
  from: optional(oneOf(status)),
  to: oneOf(status),
  sequence: integer({ description: 'The partner’s number of the status.', examples: [4] }),
});

const partnerId = string({ description: 'The id at the partner.', examples: ['pa_81723'] });

/** The event kinds of the exchange with the partner. */
export const partnerIntegration = eventGroup('Partner integration', 'application', {
  partner_webhook_received: event(
    object({
      messageId: string({ description: 'The webhook-id of the request.', examples: ['evt_17'] }),
      type: string({ examples: ['application.status'] }),
    }),
    'The partner sent an event, which was accepted.',
    { title: 'Partner event received', body: 'The partner sent the event {type}.' },
    { about: ['account'] },
  ),
  application_sent_to_partner: event(
    object({
      partnerId,
      submission: integer({
        description: 'How often the application was submitted to the partner.',
        examples: [1],
      }),
    }),
    'The partner accepted an application.',
    noticeOf('sent to the partner', 'The partner accepted {record}.'),
  ),
  partner_integration_error: event(
    object({
      operation: oneOf(['test', 'application', 'sync', 'boarding', 'ticket', 'comment']),
      reason: string({ examples: ['The partner responded with 422 (invalid_tax_id).'] }),
      applicationId: optional(string({ examples: ['app_65YB3N0G2M1'] })),
    }),
    'A request to the partner failed finally, or an event of the partner could not be applied.',
    {
      title: 'Partner integration failed',
      body: `The exchange with the partner failed.${because}`,
      error: true,
    },
    { about: ['account'] },
  ),
  partner_status_synced: event(
    statusChange,
    'The service read a new status of an application from the partner, because no event had arrived.',
    noticeOf('status at the partner changed', 'The status of {record} at the partner is {to}.'),
  ),
  partner_status_updated: event(
    statusChange,
    'The partner changed the status of an application.',
    noticeOf('status at the partner changed', 'The status of {record} at the partner is {to}.'),
  ),
  partner_documents_transferred: event(
    object({
      documentIds: array(string({ examples: ['214563398120450'] }), {
        description: 'The acknowledged documents.',
      }),
    }),
    'The partner acknowledged the documents of an application.',
    noticeOf('documents received by the partner', 'The partner received the documents of {record}.'),
  ),
  partner_note_received: event(
    object({ noteId: recordId() }),
    'The partner added a note to an application.',
    noticeOf('note of the partner', 'The partner added a note to {record}.'),
  ),
});

/** Only the host of the URL, because the rest may be confidential. */
const connection = object({
  host: string({ description: 'The host of the partner’s URL.', examples: ['partner.example.com'] }),
  active: boolean(),
  defaultTicketTypeId: optional(string({ examples: ['tty_65YB3N0G2M1'] })),
});
const connectionPage = {
  label: 'host',
  link: { path: '/partner-connection', opens: 'connection to the partner' },
} as const;

export const partnerConnections = area({
  items: {
    'partner-connection': { as: 'partner_connection', without: ['secrets'] },
    'partner-health': { as: 'partner_health' },
    'partner-ticket': 'derived',
    'partner-comment': 'derived',
  },
  unlogged: { PARTNER: 'without an event', PARTNERTICKET: 'without an event' },
  happenings: happeningsOf('partner_connection', {
    partner_connection_created: happening(
      'created',
      connection,
      'The connection to the partner was created.',
      did('created'),
      connectionPage,
    ),
    partner_connection_updated: happening(
      'updated',
      connection,
      'The connection to the partner changed.',
      changedText,
      connectionPage,
    ),
    partner_connection_secret_rotated: happening(
      'updated',
      connection,
      'The secret of the connection to the partner was rotated.',
      rotatedText,
      connectionPage,
    ),
    partner_connection_deleted: happening(
      'deleted',
      connection,
      'The connection to the partner was deleted.',
      did('deleted'),
      connectionPage,
    ),
  }),
});
