import { defaultSimulatorPort } from '../../administration/partner/simulator-port.ts';
import { command, group } from '../command.ts';
import {
  address,
  defaultedOption,
  flag,
  optionalOption,
  requiredOption,
  text,
  wholeNumber,
} from '../options.ts';

const simulate = command({
  brief: "Runs a simulated partner and connects the local service's account to it",
  notes: [
    `The simulator implements Partner contract v1 (GET /partner-contract.json). It verifies signatures, decrypts sensitive
values, downloads and checks documents, and moves each application to boarded. Ctrl-C ends the command, and restores the
earlier connection or deletes the new one. An earlier connection keeps the new secret. The command works on the service
that runs on this machine with the same DATA_DIR (default .local).`,
  ],
  flags: {
    slow: optionalOption(wholeNumber, 'milliseconds before each response; default: none'),
    failing: optionalOption(wholeNumber, 'status of every response; default: handles the requests'),
    duplicating: flag('sends each event twice'),
    reordering: flag('sends the events of an application in reverse order'),
    supportCategory: optionalOption(
      wholeNumber,
      'category of a support request that is sent after an application is boarded; default: none',
    ),
    port: defaultedOption(wholeNumber, String(defaultSimulatorPort), 'port on 127.0.0.1'),
    pace: defaultedOption(wholeNumber, '1000', 'milliseconds between two events'),
  },
  loader: () => import('../partner-simulate.ts'),
});

const check = command({
  brief: "Tests a partner's implementation against Partner contract v1 and prints a table",
  notes: [
    `The partner receives signed test requests and one fictional application. The exit code is 1 if a check fails.`,
  ],
  flags: {
    url: requiredOption(address, 'base URL of the partner'),
    secret: requiredOption(text, 'secret with which the partner verifies requests (whsec_…)'),
    json: flag('prints the results as JSON'),
  },
  loader: () => import('../partner-check.ts'),
});

export const partnerCommands = group('Simulate and test partners', { simulate, check });
