import { object, oneOf, optional, string } from '../schema.ts';
import { event, resource } from './declare.ts';
import { changed } from './event-data.ts';
import { did } from './text.ts';

const domain = string({ description: 'The domain in Punycode.', examples: ['pay.example.com'] });

export const vanityDomainResource = resource({
  name: 'vanity_domain',
  readers: 'administrators',
  portal: { path: '/domains', opens: 'domains' },
  exported: true,
  items: {
    'vanity-domain-proof': { as: 'vanity_domain_proof' },
    'vanity-domain-name': 'derived',
    'vanity-domain-holder': 'derived',
  },
  unlogged: { PROOF: 'without an event' },
  reference: {
    place: 16.5,
    name: 'Vanity domains',
    description: 'The account’s own domains for links. At most one domain is active.',
    segments: ['domains'],
  },
  events: {
    vanity_domain_requested: event(changed, 'A vanity domain was requested.', did('requested')),
    vanity_domain_validated: event(
      object({ domain }),
      'An account proved that it controls the DNS of a vanity domain.',
      did('validated'),
    ),
    vanity_domain_activated: event(
      object({ domain, replacedDomain: optional(domain) }),
      'A vanity domain was activated. Links contain it from now on.',
      did('activated', 'activated', '[ It replaces {replacedDomain}.]'),
    ),
    vanity_domain_deleted: event(
      object({
        domain,
        reason: optional(
          oneOf(['taken_over', 'proof_missing', 'account_closed'], {
            description: 'Why the domain was deactivated. It still exists. Absent if a user deleted it.',
          }),
        ),
      }),
      'A vanity domain was deleted by a user or deactivated. Links no longer contain it.',
      {
        ...did('deleted'),
        variants: [
          {
            if: { reason: 'taken_over' },
            title: '{Name} deactivated',
            body: 'The service deactivated {record}, because another account proved that it controls this domain.',
            error: true,
          },
          {
            if: { reason: 'proof_missing' },
            title: '{Name} deactivated',
            body: 'The service deactivated {record}, because its TXT record or its file could not be verified for 72 hours.',
            error: true,
          },
          {
            if: { reason: 'account_closed' },
            title: '{Name} deactivated',
            body: '{actor} deleted the account, which deactivated {record}.',
          },
        ],
      },
    ),
  },
});
