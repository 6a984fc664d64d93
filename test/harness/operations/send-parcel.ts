import { closeAtEnd } from '../../../infra/operations/close-at-end.ts';

export default async function (
  options: { to: string; by?: string; copies: number; dryRun?: boolean },
  how: 'by-land' | 'by-sea',
): Promise<void> {
  closeAtEnd({ destroy: () => process.stdout.write('closed\n') });
  if (options.to === 'nowhere') throw new Error('Unknown recipient.\n    at the second line');
  if (options.to === 'localhost') throw new AggregateError([new Error('connect ECONNREFUSED ::1:9')]);
  process.stdout.write(`${JSON.stringify({ how, ...options })}\n`);
}
