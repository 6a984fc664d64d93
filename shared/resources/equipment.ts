import { resource } from './declare.ts';

/** A change of equipment emits the event `merchant_updated`. */
export const equipmentResource = resource({
  name: 'equipment',
  readers: { of: ['merchant'] },
  portal: 'parent',
  exported: true,
  events: {},
});
