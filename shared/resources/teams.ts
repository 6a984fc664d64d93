import { changeEvents, event, resource } from './declare.ts';
import { noData } from './event-data.ts';
import { did } from './text.ts';

export const teamResource = resource({
  name: 'team',
  readers: 'own',
  portal: 'record',
  exported: true,
  items: { 'team-tree': { as: 'team_tree' } },
  reference: { place: 14, description: 'User groups to which leads and tickets belong.' },
  // A team is inactive, because while an account has an active team, each new lead must have a team.
  events: {
    ...changeEvents('team', 'A team'),
    team_activated: event(noData, 'A team was activated.', did('activated')),
    team_deactivated: event(noData, 'A team was deactivated.', did('deactivated')),
  },
});
