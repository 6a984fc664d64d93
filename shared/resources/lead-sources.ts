import { changeEvents, event, resource } from './declare.ts';
import { noData } from './event-data.ts';
import { did } from './text.ts';

export const leadSourceResource = resource({
  name: 'lead_source',
  readers: 'own',
  portal: 'record',
  exported: true,
  reference: { place: 4, description: 'The origins of leads.' },
  // A source is inactive, because while a team has an active source, each new lead of the team must have a source.
  events: {
    ...changeEvents('lead_source', 'A lead source'),
    lead_source_activated: event(noData, 'A lead source was activated.', did('activated')),
    lead_source_deactivated: event(noData, 'A lead source was deactivated.', did('deactivated')),
  },
});
