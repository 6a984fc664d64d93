import { resource } from './declare.ts';

/** The event kinds are declared in the group of underwriting. */
export const underwritingRuleResource = resource({
  name: 'underwriting_rule',
  readers: 'own',
  portal: 'record',
  exported: { without: ['writer'] },
  reference: {
    place: 7.5,
    description: 'Automatic rules that run when applications are submitted, and their tests.',
  },
  events: {},
});
