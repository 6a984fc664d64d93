import { changeEvents, resource } from './declare.ts';

export const leadRotationResource = resource({
  name: 'lead_rotation',
  readers: 'own',
  portal: 'record',
  exported: true,
  unlogged: { SLOT: 'later' },
  reference: { place: 5, description: 'Weighted round-robin assignment of new leads to users.' },
  events: changeEvents('lead_rotation', 'A lead rotation'),
});
