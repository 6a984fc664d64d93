import { createDemoData } from '../administration/demo/create-demo-data.ts';
import { progressBar } from '../administration/progress-bar.ts';
import { print } from './print.ts';
import { runningService } from './service-at.ts';
import { signIn } from './sign-in.ts';

type Options = { seed: number; baseUrl?: string; json?: boolean };

export default async function ({ seed, baseUrl: given, json }: Options): Promise<void> {
  const service = given === undefined ? runningService() : undefined;
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => interrupted.abort(new Error('Interrupted. Run the command again to continue.')));
  const { client, account } = signIn(given);
  const began = performance.now();
  let bar: ReturnType<typeof progressBar> | undefined;
  let drawn = 0;
  const { created } = await createDemoData({
    client,
    account,
    local: service !== undefined,
    ...(service && { smtpPort: service.smtpPort }),
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
}
