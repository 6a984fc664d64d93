import { eventGroup, reserved } from './declare.ts';

/** Event kinds that the service does not emit yet. */
export const billing = eventGroup('Billing', 'account', {
  invoice_created: reserved('An invoice was created.'),
  payment_received: reserved('A payment was received.'),
  payment_failed: reserved('A payment failed.'),
  refund_issued: reserved('A refund was issued.'),
});

export const auditReveal = eventGroup('Audit reveal', 'account', {
  event_request_body_revealed: reserved('The body of a logged request was shown.'),
  event_response_body_revealed: reserved('The body of a logged response was shown.'),
});

export const partnerIntegration = eventGroup('Partner integration', 'application', {
  partner_webhook_received: reserved('The partner sent a webhook.', 'account'),
  application_sent_to_partner: reserved('An application was sent to the partner.'),
  partner_integration_error: reserved('The integration with the partner failed.', 'account', {
    title: 'Partner integration failed',
    body: 'A request between the service and the partner failed.',
    error: true,
  }),
  partner_status_synced: reserved('The partner status of an application was fetched.'),
  partner_status_updated: reserved('The partner status of an application changed.'),
  partner_documents_transferred: reserved('Documents of an application were sent to the partner.'),
  partner_note_received: reserved('The partner added a note to an application.'),
});

export const vanityDomains = eventGroup('Vanity domains', 'account', {
  vanity_domain_requested: reserved('A vanity domain was requested.'),
  vanity_domain_validated: reserved('A vanity domain was validated.'),
  vanity_domain_activated: reserved('A vanity domain was activated.'),
  vanity_domain_deleted: reserved('A vanity domain was deleted.'),
});
