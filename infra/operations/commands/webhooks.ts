import { command, group } from '../command.ts';
import { account, address, flag, optionalOption, requiredOption } from '../options.ts';
import { serviceNote, serviceOption } from './service-option.ts';

const status = command({
  brief: "Shows the health and the waiting deliveries of an account's webhooks",
  notes: [
    serviceNote,
    `A webhook is shown with its description, or with the host of its URL. States: idle (no attempt yet), healthy,
failing (the last attempt failed), and disabled. The last column has the reason if the service disabled the webhook.
The command changes nothing.`,
  ],
  flags: {
    account: requiredOption(account, 'account of the webhooks'),
    json: flag('prints the webhooks as JSON'),
    ...serviceOption,
  },
  loader: () => import('../webhooks-status.ts'),
});

const listen = command({
  brief: "Receives all events of the local service's account, verifies each delivery and forwards it",
  notes: [
    `Prints a line for each delivery. Ctrl-C ends the command and deletes its webhook. The command works on the service
that runs on this machine with the same DATA_DIR (default .local). The service receives the status that the address
returns, or 502 if there is no response.`,
  ],
  flags: { forwardTo: optionalOption(address, 'address to which each delivery is sent; default: none') },
  loader: () => import('../webhooks-listen.ts'),
});

export const webhookCommands = group('Show and receive the deliveries of webhooks', { status, listen });
