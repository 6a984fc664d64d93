import { array, boolean, object, optional, recordId, string } from '../schema.ts';
import { area, changeHappenings, happening, happeningsOf } from './declare.ts';
import { noticeOf } from './text.ts';

const host = string({ description: 'The host of the issuer.', examples: ['login.example.com'] });

const connection = object({
  host,
  domains: array(string({ examples: ['example.com'] })),
  enforced: boolean(),
  secretChanged: optional(boolean({ description: 'True if the request changed the secret or the key.' })),
});
const connectionPage = {
  label: 'host',
  link: { path: '/sso-connections', opens: 'connections for single sign-on' },
} as const;

const identity = object({
  userId: recordId(),
  email: string({ examples: ['grace@example.com'] }),
  host,
});
const memberPage = { label: 'email', link: { path: '/users', opens: 'users' } } as const;

export const singleSignOn = area({
  items: {
    'sso-connection': { as: 'sso_connection', without: ['secret'] },
    'sso-identity': 'derived',
    'sso-provider-session': 'temporary',
    'sso-code': 'temporary',
  },
  unlogged: {
    SSOCONNECTION: 'without an event',
    SSOIDENTITY: 'without an event',
    SSOPROVIDERSESSION: 'without an event',
    SSOCODE: 'without an event',
  },
  reference: {
    place: 16.6,
    name: 'Single sign-on',
    description: 'Connections to the account’s identity providers (OpenID Connect).',
    segments: ['sso-connections'],
  },
  happenings: {
    ...happeningsOf(
      'sso_connection',
      changeHappenings('sso_connection', connection, 'A connection to an identity provider', connectionPage),
    ),
    ...happeningsOf('sso_identity', {
      sso_identity_linked: happening(
        'updated',
        identity,
        'A member was linked to a user of the identity provider at the first sign-in.',
        noticeOf('linked', '{email} is linked to a user of {host}.'),
        memberPage,
      ),
      sso_identity_unlinked: happening(
        'updated',
        identity,
        'An administrator removed the link of a member to a user of the identity provider.',
        noticeOf('unlinked', '{actor} removed the link of {email} to a user of {host}.'),
        memberPage,
      ),
    }),
  },
});
