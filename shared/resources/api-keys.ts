import { changeEvents, event, resource } from './declare.ts';
import { changed } from './event-data.ts';
import { changedNotice } from './text.ts';

export const apiKeyResource = resource({
  name: 'api_key',
  words: 'API key',
  readers: 'own',
  portal: 'list',
  exported: { without: ['secretHash', 'sessionEpoch', 'statesReveal'] },
  permissions: {
    revealSensitive:
      'For API keys: show the sensitive values of records that the key may read or change. Users need a fresh proof instead.',
  },
  reference: {
    place: 1,
    description: 'Machine credentials. The secret is shown only when a key is created.',
    segments: ['apikeys'],
  },
  events: {
    ...changeEvents('api_key', 'An API key'),
    api_key_updated: event(changed, 'An API key or its permissions changed.', changedNotice),
  },
});
