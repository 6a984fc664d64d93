import { integer, object, oneOf, recordId, string } from '../schema.ts';
import { area, event, eventGroup } from './declare.ts';

const keyId = recordId({ description: 'The API key that sent the record.' });
const origin = {
  keyId,
  externalId: string({ description: 'The id under which the key sent the record.', examples: ['L-1001'] }),
};

const received = (title: string, body: string) => ({ title, body: `${body} through the external API.` });

/** Each event contains the key that sent the record, by which webhooks of a key find the events of its records. */
export const externalApi = eventGroup('External API', 'application', {
  extapi_lead_created: event(
    object(origin),
    'A lead arrived through the external API.',
    received('Lead received', '{actor} sent {record}'),
    { about: ['lead'] },
  ),
  extapi_lead_batch_submitted: event(
    object({
      keyId,
      created: integer({ minimum: 0, examples: [12] }),
      updated: integer({ minimum: 0, examples: [3] }),
      failed: integer({ minimum: 0, examples: [0] }),
    }),
    'Leads arrived in a batch through the external API.',
    received(
      'Leads received',
      '{actor} sent a batch of leads ({created|0} new, {updated|0} changed, {failed|0} failed)',
    ),
    { about: ['account'] },
  ),
  extapi_application_submitted: event(
    object(origin),
    'An application was submitted through the external API.',
    received('Application submitted', '{actor} submitted {record}'),
  ),
  extapi_application_updated: event(
    object(origin),
    'An application changed through the external API.',
    received('Application changed', '{actor} changed {record}'),
  ),
  extapi_documents_transferred: event(
    object({ ...origin, documentKey: string({ examples: ['voided-check'] }) }),
    'A document arrived through the external API.',
    received('Document received', '{actor} uploaded a document of {record}'),
  ),
  extapi_status_change: event(
    object({
      ...origin,
      status: oneOf(['submitted', 'approved', 'rejected', 'information_requested', 'boarded']),
    }),
    'The account changed the status of an application that a key sent through the external API.',
    {
      title: 'Status reported',
      body: 'The status of {record} is now {status|unknown}. {actor} changed it.',
    },
  ),
});

export const externalApiArea = area({
  items: { 'external-id': { as: 'external_id', without: ['sent'] } },
  unlogged: { EXTERNALID: 'without an event' },
  permissions: {
    useExternalApi:
      'Send leads and applications, and read the status of the records that the caller sent. Meant to be the only permission of a vendor’s API key.',
  },
  reference: {
    place: 9.2,
    name: 'External API',
    description:
      'For lead vendors, referral partners and other software, which send records under their own ids. A caller finds only the records that it sent.',
    segments: ['extapi'],
  },
});
