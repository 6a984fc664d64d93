import { command, group } from '../command.ts';
import { address, defaultedOption, flag, optionalOption, wholeNumber } from '../options.ts';
import { signInNote } from './service-option.ts';

const create = command({
  brief: 'Creates a small company through the API',
  notes: [
    `The company has users, leads, applications, merchants, tickets, and webhooks, one of which fails. If the command is
interrupted, run it again: existing records are not created again. The account is also connected to the simulated
partner, which npm run partner starts, and to an identity provider that does not exist. It captures the bodies of changes
for 14 days.`,
    `${signInNote} The caller must be
an administrator.`,
    'The company has teams, so a new lead needs a teamId or the parameter skipTeamAndSourceRequirement=true.',
  ],
  flags: {
    seed: defaultedOption(wholeNumber, '1', 'the same number gives the same company'),
    baseUrl: optionalOption(address, 'URL of the API; default: the local service of DATA_DIR'),
    json: flag('prints the result as JSON'),
  },
  loader: () => import('../demo-data-create.ts'),
});

export const demoDataCommands = group('Create demo data', { create });
