import { acrossAccounts, area, reading } from './declare.ts';

export const authentication = area({
  items: { session: 'secret' },
  unlogged: { SESSION: 'later' },
  reads: [
    reading("session, in the holder's account", 'SESSION#id', 'SESSION', 'shared/people/sessions/store.ts'),
    acrossAccounts(
      'login attempts of a name or a network; reset and invitation mails to an address in an hour',
      'LOGINFAILURES#digest',
      "failures, and the network's digest for a name; mails; invitations",
      'shared/people/sessions/throttle-login.ts',
    ),
  ],
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
  reads: [
    reading(
      'unread counts of an inbox; position up to which all notifications are read',
      'INBOX#user',
      'INBOX',
      'shared/messaging/notifications/inbox-item.ts',
    ),
    reading(
      'unread notifications; notifications marked as read one by one',
      'INBOX#user',
      'UNREAD#filed#position#event; READ#position#event',
      'shared/messaging/notifications/list-inbox.ts',
    ),
    reading(
      "position of an event's notification",
      'INBOX#user',
      'EVENT#event',
      'shared/messaging/notifications/store.ts',
    ),
    reading(
      'number of started sends of a work item; number of messages to a user in an hour; invitations to an address in an hour',
      'SENDING#name',
      'BEGUN#item; HOUR#user#hour; INVITED#digest#hour',
      'shared/messaging/messages/begin-sending.ts',
    ),
    reading(
      'rows of a digest; marker of a closed digest',
      'DIGEST#cadence#period',
      'ROW#user#event; CLOSED',
      'shared/messaging/messages/add-to-digest.ts',
    ),
    reading(
      'digest that contains an event for a user',
      'DIGEST#cadence',
      'ARRIVED#user#event',
      'shared/messaging/messages/add-to-digest.ts',
    ),
  ],
  permissions: { readNotifications: 'Read the caller’s notifications and mark them as read.' },
  reference: {
    place: 8,
    name: 'Notifications',
    description: 'Events that the caller has subscribed to.',
    segments: ['notifications'],
  },
});

export const reassignments = area({
  reference: {
    place: 13,
    name: 'Reassignments',
    description:
      'Background jobs that reassign the leads and open tickets of users who left or are not active.',
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
  reads: [
    reading('event log, newest first', 'EVENT', 'id', 'shared/events/log.ts'),
    reading(
      'seals of the event log; leaves of a seal',
      'SEAL',
      'SEAL#to; LEAVES#root',
      'shared/integrity/event-seals/store.ts',
    ),
    reading(
      'captured bodies of a request, for 14 days',
      'BODIES',
      'id',
      'shared/body-capture/read-captured-body.ts',
    ),
    reading(
      'captured bodies of the requests that changed a record',
      'BODIESOF#type#record',
      'bodies',
      'events/cleanup/erase-bodies.ts',
    ),
    reading('private key of captured bodies', 'BODYKEY', 'id', 'shared/body-capture/read-captured-body.ts'),
    reading('newest seal', 'SEALHEAD', 'SEALHEAD', 'shared/integrity/event-seals/store.ts'),
    acrossAccounts(
      'progress of a replay, for 14 days',
      'REPLAY#digest',
      'PROGRESS',
      'infra/operations/replay-events.ts',
    ),
  ],
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
