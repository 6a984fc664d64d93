import { changeEvents, reading, resource } from './declare.ts';

export const leadRotationResource = resource({
  name: 'lead_rotation',
  readers: 'own',
  portal: 'record',
  audited: false,
  children: [],
  exported: true,
  unlogged: { SLOT: 'later' },
  reads: [
    reading('number of slots taken in a rotation', 'NOUN#id', 'SLOT#epoch', 'shared/rotations/slots.ts'),
  ],
  reference: { place: 5, description: 'Weighted round-robin assignment of new leads to users.' },
  events: changeEvents('lead_rotation', 'A lead rotation'),
});
