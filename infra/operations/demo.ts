import '../quiet-sdk.ts';
import { command, print } from './command.ts';
import { address } from './credentials.ts';
import { createDemoData } from './demo/create-demo-data.ts';
import { wholeNumber } from './options.ts';
import { progressBar } from './progress-bar.ts';
import { runningService } from './service-at.ts';
import { signIn, signInNote } from './sign-in.ts';

await command(
  {
    name: 'demo',
    summary: `Creates a small company through the API: users, leads, applications, merchants, tickets and webhooks, one of which fails. If
the command is interrupted, run it again: existing records are not created again.`,
    options: {
      seed: { type: wholeNumber, help: 'the same number gives the same company; default: 1' },
      'base-url': { type: address, help: 'URL of the API; default: the local service of DATA_DIR' },
      json: { type: 'flag', help: 'prints the result as JSON' },
    },
    notes: [
      `${signInNote} The caller must be
an administrator.`,
      'The company has teams, so a new lead needs a teamId or the parameter skipTeamAndSourceRequirement=true.',
    ],
  },
  async ({ seed = 1, 'base-url': given, json }) => {
    const local = given === undefined;
    if (local) runningService();
    const interrupted = new AbortController();
    for (const name of ['SIGINT', 'SIGTERM'] as const)
      process.once(name, () =>
        interrupted.abort(new Error('Interrupted. Run the command again to continue.')),
      );
    const { client, account } = signIn(given);
    const began = performance.now();
    let bar: ReturnType<typeof progressBar> | undefined;
    let drawn = 0;
    const { created } = await createDemoData({
      client,
      account,
      local,
      seed,
      signal: interrupted.signal,
      report: ({ done, total }) => {
        bar ??= progressBar('Demo data', total);
        bar.advance(done - drawn);
        drawn = done;
      },
    }).finally(() => bar?.end());
    const seconds = Math.round((performance.now() - began) / 1000);
    const lines = Object.entries(created).map(([path, count]) => `${String(count).padStart(6)}  ${path}`);
    const text =
      lines.length === 0
        ? [`The demo company ${seed} exists already. Nothing was created.`]
        : [
            `Created in ${seconds} s:`,
            ...lines,
            'Some tickets miss their SLA targets within the next two minutes.',
          ];
    print({ created, seconds }, json ? undefined : text);
  },
);
