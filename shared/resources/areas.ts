import { integer, object, optional, string } from '../schema.ts';
import { area, happening, happeningsOf } from './declare.ts';

export const authentication = area({
  items: { session: 'secret' },
  unlogged: { SESSION: 'later' },
  reference: {
    place: 2,
    name: 'Authentication',
    description: 'Sign-in, sign-out, and password changes.',
    segments: ['auth'],
  },
});

export const notifications = area({
  items: {
    notification: {},
    inbox: {},
    arrival: 'derived',
    'digest-row': 'temporary',
    'digest-arrival': 'temporary',
    'digest-closed': 'temporary',
  },
  unlogged: { INBOX: 'later', DIGEST: 'later', SENDING: 'later' },
  permissions: { readNotifications: 'Read the caller’s notifications and mark them as read.' },
  reference: {
    place: 8,
    name: 'Notifications',
    description: 'Events that the caller has subscribed to.',
    segments: ['notifications'],
  },
});

const provisioningSettings = object({
  groups: integer({ description: 'The number of groups of the identity provider.', examples: [2] }),
  reassignTo: optional(
    string({ description: 'The id of a user, `rotation` or `none`.', examples: ['none'] }),
  ),
});

export const provisioningArea = area({
  items: { provisioning: {} },
  permissions: {
    provisionUsers:
      'Create, change and remove users by SCIM, and give them the roles and teams of PUT /provisioning. Meant to be the only permission of an identity provider’s API key.',
  },
  reference: {
    place: 12.5,
    name: 'Provisioning',
    description: 'SCIM 2.0 for identity providers, such as Okta and Entra.',
    segments: ['scim', 'provisioning'],
  },
  happenings: happeningsOf('provisioning', {
    provisioning_updated: happening(
      'updated',
      provisioningSettings,
      'The groups of the identity provider, or what happens to the records of its former users, changed.',
      { title: 'Provisioning changed', body: '{actor} changed the settings of provisioning.' },
      { link: { path: '/provisioning', opens: 'settings of provisioning' } },
    ),
  }),
});

export const reassignments = area({
  reference: {
    place: 13,
    name: 'Reassignments',
    description: 'Background jobs that reassign the records of users who left or are not active.',
    segments: ['reassignments'],
  },
});

export const eventLogArea = area({
  items: {
    event: {},
    audit: { as: 'audit_entry' },
    seal: {},
    'seal-head': 'derived',
    'seal-leaves': 'derived',
    bodies: 'temporary',
    'bodies-of': 'temporary',
    'body-key': 'secret',
  },
  unlogged: {
    AUDIT: 'later',
    BODIES: 'without an event',
    BODIESOF: 'without an event',
    BODYKEY: 'without an event',
    SEAL: 'later',
    SEALHEAD: 'later',
  },
  permissions: {
    readEvents: 'Read the event log of the account.',
    revealBodies: 'Show captured bodies of requests and responses.',
  },
  reference: {
    place: 20,
    name: 'Events',
    description: 'The log of all events of an account, captured bodies, and all event kinds.',
    segments: ['events', 'event-kinds'],
  },
});

export const search = area({
  reference: {
    place: 21,
    name: 'Search',
    description: 'A search over all record types, for a search box.',
    segments: ['search'],
  },
});

export const service = area({
  reference: {
    place: 22,
    name: 'Service',
    description: 'Health, API reference, and this document.',
    segments: ['health', 'openapi.json', 'partner-contract.json', 'docs', 'service'],
  },
});
