import { command, group } from '../command.ts';
import { address, flag, optionalOption, stage } from '../options.ts';

const runTest = command({
  brief: 'Tests a running service through its API, and deletes everything that the test created',
  notes: [
    `The command signs in, checks that invalid requests are refused, creates a lead, its application with documents and a
ticket, and waits until their events are processed.`,
    `With --base-url or --stage, the command signs in with API_KEY and API_SECRET from the environment. The key needs
all permissions. Use a separate account, because the test notifies the account's webhooks and users, and uses turns of
the account's rotations.`,
    `With --stage, the command reads the queues and, without --base-url, the URL of the API from the stage's stack. It
uses the region and credentials from the AWS environment.`,
    'The command also deletes its records if a step fails or a signal interrupts the run. The exit code is then 1.',
  ],
  flags: {
    baseUrl: optionalOption(
      address,
      'URL of the API; default: the URL of the stage, or of the local service of DATA_DIR',
    ),
    stage: optionalOption(stage, 'stage of the service; also checks that it has no dead letters'),
    readOnly: flag('only signs in, reads and sends invalid requests'),
    json: flag('prints the steps as JSON'),
  },
  loader: () => import('../smoke-tests-run.ts'),
});

export const smokeTestCommands = group('Test a running service', { run: runTest });
