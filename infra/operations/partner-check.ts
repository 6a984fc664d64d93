import { checkPartnerContract } from '../administration/partner/check-contract.ts';
import { print, textTable } from './print.ts';

type Options = { url: string; secret: string; json?: boolean };

export default async function ({ url, secret, json }: Options): Promise<void> {
  const results = await checkPartnerContract({ url, secret });
  const failed = results.filter(({ passed }) => !passed).length;
  const rows = results.map(({ check, passed, detail }) => [passed ? 'passed' : 'FAILED', check, detail]);
  const lines = [
    ...textTable([['result', 'check', 'response'], ...rows]),
    `${results.length - failed} of ${results.length} checks passed.`,
  ];
  print({ url, passed: failed === 0, results }, json ? undefined : lines);
  if (failed > 0) process.exitCode = 1;
}
